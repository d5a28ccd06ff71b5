import type { ClockSuspect } from '../../words/accounts.ts';

/** This many accounts must be off alike before the server is suspected. */
const LEAST_ALIKE = 3;
const ALIKE_MS = 60_000;

/**
 * Which clock is wrong: if most of the fed accounts are off by the same amount, more likely the
 * server's own than all of theirs.
 */
export function suspectOf(offsetsMs: readonly number[], fed: number): ClockSuspect {
  const sorted = offsetsMs.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const alike = sorted.filter((each) => Math.abs(each - middle) <= ALIKE_MS).length;
  return alike >= LEAST_ALIKE && alike * 2 > fed ? 'server' : 'account';
}
