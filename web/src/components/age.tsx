import { useConnection } from '../lib/connection.ts';
import { formatAge } from '../lib/format.ts';
import { useNow } from '../lib/now.ts';

/** As the server: a snapshot is new for five minutes. */
export const FRESH_SECONDS = 300;
/** A clock that is ahead by more than this is set wrongly. */
const AHEAD_SECONDS = 60;

/** How old something is now that was so old when it was answered. */
export const useAgeSeconds = (ageSeconds: number, answeredAtMs: number): number =>
  ageSeconds + Math.max(0, useNow() - answeredAtMs) / 1000;

/** The age of a snapshot, ticking; grey and in words when it is old. */
export function Age(props: { ageSeconds: number; answeredAtMs: number }) {
  const ageSeconds = useAgeSeconds(props.ageSeconds, props.answeredAtMs);
  const isUp = useConnection().state === 'up';
  if (ageSeconds < -AHEAD_SECONDS) {
    return (
      <span className="age age-stale" title="The broker clock of this account is wrong">
        clock {formatAge(-ageSeconds)} ahead
      </span>
    );
  }
  const isStale = ageSeconds > FRESH_SECONDS || !isUp;
  return (
    <span className={`age number ${isStale ? 'age-stale' : ''}`}>
      {formatAge(ageSeconds)} ago
      {isStale && ageSeconds <= FRESH_SECONDS ? (
        <span className="visually-hidden">, old</span>
      ) : null}
    </span>
  );
}
