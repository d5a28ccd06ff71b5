import type { EvidenceRecord } from '../../../src/contract/operations/tracker-events.ts';
import type { ThresholdType } from '../../../src/words/trackers.ts';

/** How a threshold was measured: of an event, or by what is known since. */
export type Measured = Pick<EvidenceRecord, 'baseline' | 'allowed' | 'adjustment' | 'equity'>;

/** The equity at which the threshold is met, money paid in or out included. */
export const limitOf = (
  { baseline, adjustment, allowed }: Measured,
  threshold: ThresholdType,
): number => baseline + adjustment + (threshold === 'drawdown' ? -allowed : allowed);
