import { areAllShown } from '../lib/faults.ts';
import { ErrorNote } from './error-note.tsx';

/** Above the button of a form: why it was refused. `parameters` are those that have a field. */
export function FormError(props: { error: unknown; parameters: readonly string[] }) {
  if (!props.error) return null;
  if (!areAllShown(props.error, props.parameters)) return <ErrorNote error={props.error} />;
  return (
    <p className="note note-bad" role="alert">
      Some fields need another look. Each says why.
    </p>
  );
}
