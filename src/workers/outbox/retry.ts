import { growingPause } from '../../domain/growing-pause.ts';

/**
 * When to try a mail again: 2 s after the first failure, twice as long after each further one, at
 * most 5 min, each shortened by up to half so that mails of one outage are spread. Given up after
 * 2,000 attempts or 4 days, the span that RFC 5321 section 4.5.4.1 recommends.
 */
const PAUSE = { firstMs: 2_000, maxMs: 5 * 60_000 };
export const MAX_DELAY_MS = PAUSE.maxMs;
export const MAX_ATTEMPTS = 2_000;
export const MAX_AGE_MS = 4 * 86_400_000;

/**
 * Time of the next attempt; undefined: give up. `attempt` is the number of the one that failed,
 * from 1; `random` lies in [0, 1).
 */
export function nextAttemptMs(
  attempt: number,
  queuedMs: number,
  nowMs: number,
  random: number,
): number | undefined {
  if (attempt >= MAX_ATTEMPTS || nowMs - queuedMs >= MAX_AGE_MS) return undefined;
  return nowMs + Math.round(growingPause(attempt, PAUSE, random));
}
