import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';

/** A modal dialog: the browser's own, which keeps the focus inside and closes on Escape. */
export function Dialog(props: {
  title: string;
  close: () => void;
  wide?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    const opener = document.activeElement;
    if (shown && !shown.open) shown.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${props.wide ? 'dialog-wide' : ''}`}
      aria-labelledby={id}
      // In React the event comes up from dialogs inside of this one, too.
      onClose={({ target, currentTarget }) => {
        if (target === currentTarget) props.close();
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{props.title}</h2>
        <Button kind="quiet" size="small" onClick={props.close}>
          Close
        </Button>
      </div>
      <div className="dialog-body">{props.children}</div>
    </dialog>
  );
}
