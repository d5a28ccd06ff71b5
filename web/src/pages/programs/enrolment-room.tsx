import { OBJECTIVE_KINDS, RULE_KINDS } from '../../../../src/words/programs.ts';
import { FRESH_SECONDS, useAgeSeconds } from '../../components/age.tsx';
import { useConnection } from '../../lib/connection.ts';
import { formatMoney } from '../../lib/format.ts';
import { consistencyWords, objectiveAmount } from '../../programs/program-words.ts';
import { goesOn } from '../../programs/use-enrolments.ts';
import type { AccountEnrolment } from './use-program-enrolments.ts';

/**
 * The least room of its limits and how many objectives are met; grey if no data of the account come
 * in.
 */
export function EnrolmentRoom({ row }: { row: AccountEnrolment }) {
  const { account, answeredAtMs, rules, objectives } = row;
  const ageSeconds = useAgeSeconds(account.ageSeconds ?? 0, answeredAtMs);
  const isUp = useConnection().state === 'up';
  const isOld = account.state !== 'live' || ageSeconds > FRESH_SECONDS || !isUp;
  const least = rules
    .filter(({ room }) => room !== undefined)
    .sort((a, b) => (a.room ?? 0) - (b.room ?? 0))[0];
  const show = (kind: (typeof objectives)[number]['kind'], value: number | undefined): string =>
    value === undefined ? '–' : objectiveAmount(kind, value, account.currency);
  return (
    <span className={`two-lines number ${goesOn(row) && isOld ? 'muted' : ''}`}>
      {least?.room === undefined ? null : (
        <span>
          {formatMoney(least.room, account.currency)}{' '}
          <span className="hint">to the {RULE_KINDS[least.kind].toLowerCase()}</span>
        </span>
      )}
      {objectives.map(({ kind, met, value, needed }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an objective is its place in the phase
        <span key={`${kind} ${index}`} className="hint">
          {OBJECTIVE_KINDS[kind]}:{' '}
          {kind === 'consistency'
            ? consistencyWords(value, needed, account.currency)
            : `${show(kind, value)} of ${show(kind, needed)}`}
          {met ? ', met' : ''}
        </span>
      ))}
    </span>
  );
}
