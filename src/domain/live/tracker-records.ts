import type { LiveAccount } from './live-account.ts';
import type { PeriodStatistics, ThresholdType, TrackerEvent } from './live-records.ts';
import type { LiveTracker } from './live-tracker.ts';

/** The tracker's running period; undefined before its first moment. */
export function runningPeriod(
  _account: LiveAccount,
  _tracker: LiveTracker,
): PeriodStatistics | undefined {
  throw new Error('Not written yet');
}
export function periodStatistics(
  _a: LiveAccount,
  _t: LiveTracker,
  _status: 'running' | 'completed',
): PeriodStatistics {
  throw new Error('Not written yet');
}
export function eventOf(_a: LiveAccount, _t: LiveTracker, _type: ThresholdType): TrackerEvent {
  throw new Error('Not written yet');
}
