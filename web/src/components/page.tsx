import { type ReactNode, useEffect, useRef } from 'react';
import { setTitlePage } from '../lib/title.ts';

/** A page: one h1, which takes the focus when the page opens, with actions next to it. */
export function Page(props: {
  title: string;
  /** A line under the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setTitlePage(props.title);
  }, [props.title]);
  useEffect(() => {
    // Screen readers announce the page; a ring around the heading would be noise for others.
    if (document.activeElement?.closest('main') === null) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {props.title}
          </h1>
          {props.lead ? <div className="page-lead">{props.lead}</div> : null}
        </div>
        {props.actions ? <div className="actions">{props.actions}</div> : null}
      </header>
      {props.children}
    </div>
  );
}
