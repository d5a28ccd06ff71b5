import type { EvidenceRecord } from '../../../src/contract/operations/tracker-events.ts';
import type { ThresholdType } from '../../../src/words/trackers.ts';

/** The measurement of a threshold: of an event, or by later facts. */
export type Measured = Pick<EvidenceRecord, 'baseline' | 'allowed' | 'adjustment' | 'equity'>;

/** The equity at which the threshold is met, including money paid in or out. */
export const limitOf = (
  { baseline, adjustment, allowed }: Measured,
  threshold: ThresholdType,
): number => baseline + adjustment + (threshold === 'drawdown' ? -allowed : allowed);
