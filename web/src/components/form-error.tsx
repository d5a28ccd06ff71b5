import { useEffect, useRef } from 'react';
import { ApiError } from '../lib/api.ts';
import { areAllShown } from '../lib/faults.ts';
import { ErrorNote } from './error-note.tsx';

/** Above the button of a form: why it was refused. `parameters` are those that have a field. */
export function FormError(props: { error: unknown; parameters: readonly string[] }) {
  const { error } = props;
  const note = useRef<HTMLParagraphElement>(null);
  // A field that needs another look may be out of sight, as on a phone.
  useEffect(() => {
    if (!error) return;
    const form = note.current?.closest('form');
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  if (!error) return null;
  if (areAllShown(error, props.parameters))
    return (
      <p ref={note} className="note note-bad" role="alert">
        Some fields are not valid. Each says why.
      </p>
    );
  // A platform's refusal is about the request as a whole, which its sentence says.
  const [fault, ...more] = error instanceof ApiError ? error.faults : [];
  const isWhole = fault?.parameter === 'request' && more.length === 0;
  return <ErrorNote error={isWhole ? new Error(`${fault.message}.`) : error} />;
}
