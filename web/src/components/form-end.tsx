import { type ReactNode, use, useEffect, useRef } from 'react';
import { ApiError } from '../lib/api.ts';
import { areAllShown } from '../lib/faults.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { focusOnFault } from './form.tsx';
import { FormContext } from './form-context.ts';

/**
 * The end of a form: why it was not sent or refused, what else there is to say, and its buttons.
 */
export function FormEnd(props: {
  /** What the button that sends it says; absent for those who may not. */
  action?: string | undefined;
  busy: boolean;
  disabled?: boolean;
  /** Leaves it unsent. */
  cancel?: () => void;
  cancelWords?: string;
  /** Beside these buttons. */
  beside?: ReactNode;
  /** Notes above them. */
  children?: ReactNode;
}) {
  return (
    <>
      <Refusal />
      {props.children}
      <div className="form-buttons">
        {props.action ? (
          <Button kind="primary" type="submit" busy={props.busy} disabled={props.disabled ?? false}>
            {props.action}
          </Button>
        ) : null}
        {props.cancel ? (
          <Button onClick={props.cancel}>{props.cancelWords ?? 'Cancel'}</Button>
        ) : null}
        {props.beside}
      </div>
    </>
  );
}

function Refusal() {
  const { error, parameters, obstacle } = use(FormContext);
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (error) focusOnFault(note.current?.closest('form'));
  }, [error]);
  const words = obstacle ?? (areAllShown(error, parameters) ? SOME_FIELDS : undefined);
  if (words)
    return (
      <p ref={note} className="note note-bad" role="alert">
        {words}
      </p>
    );
  if (!error) return null;
  // A platform's refusal is about the request as a whole, which its sentence says.
  const [fault, ...more] = error instanceof ApiError ? error.faults : [];
  const isWhole = fault?.parameter === 'request' && more.length === 0;
  return <ErrorNote error={isWhole ? new Error(`${fault.message}.`) : error} />;
}

const SOME_FIELDS = 'Some fields are not valid. Each says why.';
