import type { EvidenceRecord } from '../../../src/contract/operations/tracker-events.ts';

/** The equity at which the threshold is met, money paid in or out included. */
export function limitOf({ baseline, adjustment, allowed, event }: EvidenceRecord): number {
  return baseline + adjustment + (event.exceededThresholdType === 'drawdown' ? -allowed : allowed);
}
