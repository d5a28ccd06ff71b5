import type { BrokerTimeMs } from '../broker-time.ts';
import { copyNumbers, type NumberRow, rowClass } from './number-rows.ts';
import type { TrackerRule } from './tracker-rule.ts';

/**
 * Numbers of a tracker's running period, stored in this order. Those read most often come first:
 * they share one or two lines of cache.
 */
const NAMES = [
  'periodStartUtcMs',
  /** Exclusive. Before the first period this is when the tracker starts. */
  'periodEndUtcMs',
  /** End of the running day if a peak follows the balances at ends of days; else Infinity. */
  'nextDayUtcMs',
  /** One of the three constants below. */
  'exceeded',
  /** The baselines of drawdown and of profit: derived, see tracker-baseline.ts. */
  'baseline',
  'profitBaseline',
  /** Money of the deals of the period that are taken out of the equity. */
  'adjustment',
  'maxDrawdown',
  'maxProfit',
  'drawdownAllowed',
  'profitAllowed',
  /** The largest drawdown that does not warn; Infinity once the period has warned. */
  'warnAllowed',
  /** 1 once the period has warned. */
  'warned',
  'maxDrawdownTimeMs',
  'maxRelativeDrawdown',
  'maxProfitTimeMs',
  /** The period's first and last moment by the broker's clock; Infinity: it has no last. */
  'periodStartMs',
  'periodLastMs',
  'initialBalance',
  /** Balance and equity at the start, the least and the most that they can have been. */
  'leastStartBalance',
  'leastStartEquity',
  'mostStartBalance',
  'mostStartEquity',
  /** The highest adjusted equity or balance of a peak's period; -Infinity before the first. */
  'peak',
  /** As above, if all unexplained movements were transfers; only while there are any. */
  'peakIfTransferred',
  /** Sum of the period's movements of the balance that no deal explains. */
  'unexplained',
  /** Receipt of the first snapshot whose breach waits for an explanation; NaN: none does. */
  'waitingSinceUtcMs',
  /** How many events of the period were revised to none, and how many revisions it has had. */
  'round',
  'revisionCount',
  /** The initial balance includes the deals up to this moment. */
  'basisUtcMs',
  /** Late snapshots can be measured from this moment on: nothing was adjusted since. */
  'measurableFromUtcMs',
  /** The part of the adjustment that is credit, which the balance does not contain. */
  'creditAdjustment',
  'tradeDayCount',
  /** The newest trade day in days since 1970, and a bit for each of the 32 days before it. */
  'lastTradeDay',
  'tradeDaysBefore',
  /** Nothing is measured before this moment. */
  'suspendedUntilUtcMs',
  /** How many of its periods have exceeded the drawdown, the running one included. */
  'breaches',
] as const;

export const TRACKER_NUMBERS = NAMES.length;

export const NOT_EXCEEDED = 0;
export const DRAWDOWN_EXCEEDED = 1;
export const PROFIT_EXCEEDED = 2;

/** Whether the tracker still measures at a moment of its running period. */
export const isMeasuring = (tracker: LiveTracker, utcMs: number): boolean =>
  tracker.exceeded === NOT_EXCEEDED && utcMs >= tracker.suspendedUntilUtcMs;

/** A tracker of a live account: its rule, shared with equal trackers, and its running period. */
export class LiveTracker extends rowClass(NAMES) {
  readonly id: string;
  readonly rule: TrackerRule;
  /** Most have neither. Undefined takes no memory of its own, as NaN and Infinity would. */
  private readonly start: BrokerTimeMs | undefined;
  private readonly end: BrokerTimeMs | undefined;

  constructor(
    row: NumberRow,
    id: string,
    rule: TrackerRule,
    start: BrokerTimeMs | undefined,
    end: BrokerTimeMs | undefined,
  ) {
    super(row);
    this.id = id;
    this.rule = rule;
    this.start = start;
    this.end = end;
  }

  /** The same tracker with its numbers in another row. */
  copyTo(row: NumberRow): LiveTracker {
    copyNumbers(this, row, TRACKER_NUMBERS);
    return new LiveTracker(row, this.id, this.rule, this.start, this.end);
  }

  /** Broker time of the tracker's start; NaN without one. */
  get startTimeMs(): BrokerTimeMs {
    return this.start ?? Number.NaN;
  }

  /** Last broker time that counts; Infinity without one. */
  get endTimeMs(): BrokerTimeMs {
    return this.end ?? Number.POSITIVE_INFINITY;
  }
}
