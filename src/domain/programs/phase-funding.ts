import type { Reading } from '../live/deal-placement.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { startAtReading } from '../live/tracker-baseline.ts';
import type { Money } from '../money.ts';
import { type LiveEnrolment, RUNNING } from './live-enrolment.ts';
import type { EnrolmentDefinition } from './program-definition.ts';

/*
 * A phase without a start of its own begins once the account has about the money of its rules,
 * which may be paid in by parts: the missing part would count as a loss. Until then its trackers
 * are held.
 */

/** How far the balance at the beginning may be from the initial one, as a part of it. */
const MOST_APART = 0.1;

/** Whether a balance is about the initial one; also true if none is known. */
export const fits = (balance: Money, { initialBalance }: EnrolmentDefinition): boolean =>
  Math.abs(balance - initialBalance) <= initialBalance * MOST_APART;

const isFunded = (balance: Money, { initialBalance }: EnrolmentDefinition): boolean =>
  balance >= initialBalance * (1 - MOST_APART);

/** Keeps trackers from beginning a period. */
export function holdTrackers({ trackers }: LiveEnrolment): void {
  for (const tracker of trackers) tracker.periodEndUtcMs = Number.POSITIVE_INFINITY;
}

/** Whether the phase still waits for money at a reading. */
export const waitsForMoney = ({ definition }: LiveEnrolment, { balance }: Reading): boolean =>
  definition.startTimeMs === undefined && !isFunded(balance, definition);

/**
 * Lets held trackers begin with a reading, and the deals that it includes. If the phase had to wait
 * for its money, these deals paid it in, and nothing is measured before startFunded.
 */
export function releaseTrackers(account: LiveAccount, enrolment: LiveEnrolment): void {
  const { definition, trackers } = enrolment;
  if (definition.startTimeMs !== undefined) return;
  const hasWaited = hasWaitedForMoney(account, enrolment);
  for (const tracker of trackers) {
    tracker.periodEndUtcMs = Number.NEGATIVE_INFINITY;
    if (hasWaited) tracker.suspendedUntilUtcMs = Number.POSITIVE_INFINITY;
  }
}

/** Whether the reading before the one that begins the phase had too little. */
export const hasWaitedForMoney = (
  { balance }: LiveAccount,
  { definition }: LiveEnrolment,
): boolean =>
  definition.startTimeMs === undefined && !Number.isNaN(balance) && !isFunded(balance, definition);

/** Starts measuring phases that had to wait, at the reading that shows their money. */
export function startFunded({ enrolments }: LiveAccount, reading: Reading): void {
  for (const { state, startUtcMs, trackers } of enrolments) {
    if (state !== RUNNING || startUtcMs !== reading.utcMs) continue;
    for (const tracker of trackers) {
      if (tracker.suspendedUntilUtcMs !== Number.POSITIVE_INFINITY) continue;
      tracker.suspendedUntilUtcMs = Number.NEGATIVE_INFINITY;
      startAtReading(tracker, reading);
    }
  }
}
