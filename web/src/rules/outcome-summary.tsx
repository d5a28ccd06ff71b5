import type { previewTrackerOperation } from '../../../src/contract/operations/trackers.ts';
import type { Chosen } from '../accounts/account-choice.tsx';
import type { call } from '../lib/api.ts';
import { isOutcomeUnknown } from '../lib/faults.ts';
import { countOf, formatNumber } from '../lib/format.ts';
import type { Outcome } from './use-each.ts';

export type Preview = Awaited<ReturnType<typeof call<typeof previewTrackerOperation>>>;

const FAILURES_SHOWN = 20;

/** The outcome for all accounts so far, including those that the list does not show. */
export function OutcomeSummary(props: {
  chosen: Chosen;
  trials: ReadonlyMap<string, Outcome<Preview>>;
  creations: ReadonlyMap<string, Outcome<unknown>>;
}) {
  const { chosen, trials, creations } = props;
  const outcomes = creations.size > 0 ? creations : trials;
  const failures = [...outcomes].flatMap(([id, outcome]) =>
    'error' in outcome ? [{ id, error: outcome.error }] : [],
  );
  const unknown = failures.filter(({ error }) => isOutcomeUnknown(error)).length;
  const refused = failures.length - unknown;
  return (
    <div aria-live="polite">
      {creations.size > 0 ? (
        <p>
          <strong>{formatNumber(creations.size - failures.length, 0)} are watched</strong>
          {refused > 0 ? `, ${formatNumber(refused, 0)} are not` : ''}
          {unknown > 0 ? `, of ${formatNumber(unknown, 0)} it is not known` : ''}.
        </p>
      ) : trials.size > 0 ? (
        <TrialWords trials={trials} />
      ) : null}
      {failures.length > 0 ? (
        <ul className="field-error">
          {failures.slice(0, FAILURES_SHOWN).map(({ id, error }) => (
            <li key={id}>
              {chosen.get(id) ?? id}: {error instanceof Error ? error.message : String(error)}
            </li>
          ))}
          {failures.length > FAILURES_SHOWN ? (
            <li>and {formatNumber(failures.length - FAILURES_SHOWN, 0)} more</li>
          ) : null}
        </ul>
      ) : null}
    </div>
  );
}

function TrialWords({ trials }: { trials: ReadonlyMap<string, Outcome<Preview>> }) {
  const found = [...trials.values()].flatMap((outcome) => ('done' in outcome ? outcome.done : []));
  const tried = found.filter(({ periods }) => periods.length > 0);
  const fired = tried.filter(({ events }) => events.length > 0);
  const times = fired.reduce((sum, { events }) => sum + events.length, 0);
  return (
    <p>
      Over the history of {formatNumber(tried.length, 0)}{' '}
      {tried.length === 1 ? 'account' : 'accounts'} it would have fired{' '}
      <strong>
        {times === 0
          ? 'never'
          : `${countOf(times, 'time')} on ${formatNumber(fired.length, 0)} of them`}
      </strong>
      {found.length > tried.length
        ? `; ${formatNumber(found.length - tried.length, 0)} have no history to try it on`
        : ''}
      .
    </p>
  );
}
