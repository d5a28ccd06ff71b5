import { type ReactNode, useId } from 'react';

/** A titled surface. `flush` lets a table or chart reach the edges. */
export function Card(props: {
  title?: ReactNode;
  hint?: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      className={`card ${props.flush ? 'card-flush' : ''} ${props.className ?? ''}`}
      aria-labelledby={props.title ? id : undefined}
    >
      {props.title || props.actions ? (
        <div className="card-head">
          <div>
            {props.title ? <h2 id={id}>{props.title}</h2> : null}
            {props.hint ? <p className="hint">{props.hint}</p> : null}
          </div>
          {props.actions ? <div className="actions">{props.actions}</div> : null}
        </div>
      ) : null}
      <div className="card-body">{props.children}</div>
    </section>
  );
}
