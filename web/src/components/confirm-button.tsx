import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

/** A button for irreversible work: it asks first, and stays open until the work is done. */
export function ConfirmButton(props: {
  children: ReactNode;
  /** For screen readers, if the button's text is ambiguous. */
  label?: string;
  question: string;
  /** The consequences, and the things that stay. */
  consequence: ReactNode;
  /** The text of the confirming button. */
  confirm: string;
  /** Danger if it is irreversible. */
  kind?: 'danger' | 'plain';
  /** How that goes. */
  work: { isPending: boolean; error: unknown };
  /** Does it; rejects on failure. */
  action: () => Promise<unknown>;
}) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const confirm = (): void => {
    // A failure is in `error` and keeps the question open.
    props.action().then(close, () => undefined);
  };
  return (
    <>
      <Button
        kind={props.kind ?? 'danger'}
        size="small"
        {...(props.label ? { 'aria-label': props.label } : {})}
        onClick={() => setOpen(true)}
      >
        {props.children}
      </Button>
      {isOpen ? (
        <Dialog title={props.question} close={close}>
          <div className="stack confirm">
            <p>{props.consequence}</p>
            {props.work.error ? <ErrorNote error={props.work.error} /> : null}
            <div className="actions confirm-buttons">
              <Button onClick={close}>{props.kind === 'plain' ? 'Cancel' : 'Keep it'}</Button>
              <Button
                kind={props.kind === 'plain' ? 'primary' : 'danger'}
                busy={props.work.isPending}
                onClick={confirm}
              >
                {props.confirm}
              </Button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
