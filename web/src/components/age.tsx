import { useConnection } from '../lib/connection.ts';
import { formatAge } from '../lib/format.ts';
import { useNow } from '../lib/now.ts';

/** As on the server: a snapshot is new for five minutes. */
export const FRESH_SECONDS = 300;

/** The current age of something whose age was answered earlier. */
export const useAgeSeconds = (ageSeconds: number, answeredAtMs: number): number =>
  ageSeconds + Math.max(0, useNow() - answeredAtMs) / 1000;

/** The age of a snapshot, ticking; grey and in words when it is old. */
export function Age(props: { ageSeconds: number; answeredAtMs: number }) {
  const ageSeconds = useAgeSeconds(props.ageSeconds, props.answeredAtMs);
  const isUp = useConnection().state === 'up';
  // Received later than now: a clock of the server was wrong, so the age is unknown.
  if (ageSeconds < -FRESH_SECONDS) return <span className="age age-stale">age not known</span>;
  const isStale = ageSeconds > FRESH_SECONDS || !isUp;
  return (
    <span className={`age number ${isStale ? 'age-stale' : ''}`}>
      {formatAge(Math.max(0, ageSeconds))} ago
      {isStale && ageSeconds <= FRESH_SECONDS ? (
        <span className="visually-hidden">, old</span>
      ) : null}
    </span>
  );
}
