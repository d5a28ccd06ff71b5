import { ApiError } from '../lib/api.ts';
import { isOutcomeUnknown } from '../lib/faults.ts';
import { Button } from './button.tsx';

/** The failure, every fault, and the id under which the log has the cause. */
export function ErrorNote(props: { error: unknown; retry?: () => void; title?: string }) {
  const { error } = props;
  const message = error instanceof Error ? error.message : String(error);
  const all = error instanceof ApiError ? error.faults : [];
  // A single fault is often the message itself.
  const faults = all.filter((fault) => !message.includes(fault.message));
  const id = error instanceof ApiError ? error.record?.id : undefined;
  const isUnknown = isOutcomeUnknown(error);
  return (
    <div className={`note ${isUnknown ? 'note-warn' : 'note-bad'}`} role="alert">
      <div>
        {props.title && !isUnknown ? <strong>{props.title} </strong> : null}
        {message}
        {faults.length > 0 ? (
          <ul>
            {faults.map((fault) => (
              <li key={`${fault.parameter} ${fault.message}`}>
                <code>{fault.parameter}</code> {fault.message}
              </li>
            ))}
          </ul>
        ) : null}
        {id === undefined ? null : <p className="hint">Error {id}</p>}
      </div>
      {props.retry ? <Button onClick={props.retry}>Try again</Button> : null}
    </div>
  );
}
