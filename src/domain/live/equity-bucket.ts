import type { LiveAccount } from './live-account.ts';
import type { EquityBucket, LateBucketCorrection, RunningBucket } from './live-records.ts';

/** The running hour up to the newest snapshot; undefined before the first. */
export function runningBucket(_account: LiveAccount): RunningBucket | undefined {
  throw new Error('Not written yet');
}

/** A stored hour with a late snapshot in it; a late snapshot alone makes an hour of its own. */
export function correctBucket(
  _stored: EquityBucket | undefined,
  _late: LateBucketCorrection,
): EquityBucket {
  throw new Error('Not written yet');
}
