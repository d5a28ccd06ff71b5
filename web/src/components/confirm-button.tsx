import { type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';

/** A button for what can't be undone: it asks first, and stays open until the work is done. */
export function ConfirmButton(props: {
  children: ReactNode;
  /** For readers of screens, where the words on the button do not say which. */
  label?: string;
  question: string;
  /** What will be lost and what stays. */
  consequence: ReactNode;
  /** The word on the button that does it. */
  confirm: string;
  busy: boolean;
  error: unknown;
  /** Does it; rejects when it went wrong. */
  action: () => Promise<unknown>;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = (): void => dialog.current?.close();
  const confirm = (): void => {
    // A failure is in `error` and keeps the question open.
    props.action().then(close, () => undefined);
  };
  return (
    <>
      <Button
        kind="danger"
        size="small"
        {...(props.label ? { 'aria-label': props.label } : {})}
        onClick={() => dialog.current?.showModal()}
      >
        {props.children}
      </Button>
      <dialog ref={dialog} className="dialog" aria-labelledby={id}>
        <h2 id={id}>{props.question}</h2>
        <p>{props.consequence}</p>
        {props.error ? <ErrorNote error={props.error} /> : null}
        <div className="actions dialog-actions">
          <Button onClick={close}>Keep it</Button>
          <Button kind="danger" busy={props.busy} onClick={confirm}>
            {props.confirm}
          </Button>
        </div>
      </dialog>
    </>
  );
}
