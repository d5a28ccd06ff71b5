import type {
  PeriodStatisticsRecord,
  TrackerRecord,
} from '../../../../src/contract/operations/trackers.ts';

export type ThresholdLine = { kind: 'drawdown' | 'profit'; title: string; value: number };

/**
 * The equity at which a running period exceeds a threshold. Only for rules that measure from the
 * balance at the period's start or from the initial capital: a peak moves and is not a line. Money
 * paid in or out within the period is not in the line.
 */
export function thresholdLines(
  tracker: TrackerRecord,
  { initialBalance }: PeriodStatisticsRecord,
): ThresholdLine[] {
  const baseline = tracker.baseline ?? 'startBalance';
  const from =
    baseline === 'startBalance'
      ? initialBalance
      : baseline === 'initialCapital'
        ? tracker.initialCapital
        : undefined;
  if (from === undefined) return [];
  const base = tracker.limitBase === 'initialCapital' ? (tracker.initialCapital ?? from) : from;
  const least = (absolute: number | undefined, relative: number | undefined) =>
    Math.min(
      absolute ?? Number.POSITIVE_INFINITY,
      relative === undefined ? Number.POSITIVE_INFINITY : relative * base,
    );
  const loss = least(tracker.absoluteDrawdownThreshold, tracker.relativeDrawdownThreshold);
  const win = least(tracker.absoluteProfitThreshold, tracker.relativeProfitThreshold);
  const title = tracker.name;
  return [
    ...(Number.isFinite(loss) ? [{ kind: 'drawdown' as const, title, value: from - loss }] : []),
    ...(Number.isFinite(win) ? [{ kind: 'profit' as const, title, value: from + win }] : []),
  ];
}
