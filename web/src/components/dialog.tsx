import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';

const FIELDS = '.dialog-body :is(input, textarea, select):not(:disabled, [hidden])';

/**
 * A modal dialog: the browser's own, which keeps the focus inside and closes on Escape. It begins
 * at its first field.
 */
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
    if (shown && !shown.open) {
      shown.showModal();
      // Opened by a key, typing continues: not into the button that closes it.
      shown.querySelector<HTMLElement>(FIELDS)?.focus();
    }
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${props.wide ? 'dialog-wide' : ''}`}
      aria-labelledby={id}
      // In React the event also bubbles up from dialogs inside of this one.
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
