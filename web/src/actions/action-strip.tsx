import { formatNumber } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { useActionState } from './use-actions.ts';

/** On the desk: shown if actions are stopped, or need a person. */
export function ActionStrip() {
  const { data } = useActionState();
  if (!data) return null;
  const { enabled, open, escalated } = data;
  return (
    <>
      {enabled ? null : (
        <div className="note note-bad" role="alert">
          <span>
            <strong>Actions at breaches are stopped.</strong>{' '}
            {open === 0 ? 'None is waiting yet.' : `${countOf(open)} until they are switched on.`}
          </span>
          <a href={path.actions()}>Show actions</a>
        </div>
      )}
      {escalated > 0 ? (
        <div className="note note-bad" role="alert">
          <span>
            <strong>
              {formatNumber(escalated, 0)}{' '}
              {escalated === 1 ? 'action at a breach was' : 'actions at breaches were'} not done.
            </strong>{' '}
            A person has to look.
          </span>
          <a href={path.actions({ state: 'escalated' })}>Show what was not done</a>
        </div>
      ) : null}
    </>
  );
}

const countOf = (open: number): string =>
  open === 1 ? 'One is waiting' : `${formatNumber(open, 0)} are waiting`;
