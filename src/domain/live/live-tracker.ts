import type { BrokerTimeMs } from '../broker-time.ts';
import { type NumberRow, rowClass } from './number-rows.ts';
import type { TrackerRule } from './tracker-rule.ts';

/**
 * Numbers of a tracker's running period, stored in this order. The first nine are those that every
 * snapshot reads: they lie together, in one or two lines of cache.
 */
const NAMES = [
  'periodStartUtcMs',
  /** Exclusive. Before the first period this is when the tracker starts. */
  'periodEndUtcMs',
  /** End of the running day, where a peak follows the balances at ends of days. */
  'nextDayUtcMs',
  /** One of the three constants below. */
  'exceeded',
  /** What drawdown is measured from; a peak moves it up. */
  'baseline',
  /** What profit is measured from: the baseline as it stood first. */
  'profitBaseline',
  /** Money of the deals of the period that are taken out of the equity. */
  'adjustment',
  'maxDrawdown',
  'maxProfit',
  'drawdownAllowed',
  'profitAllowed',
  /** The most of a drawdown that does not warn; Infinity once the period has warned. */
  'warnAllowed',
  /** 1 once the period has warned. */
  'warned',
  'maxDrawdownTimeMs',
  'maxRelativeDrawdown',
  'maxProfitTimeMs',
  /** The period by the broker's clock; the end exclusive. */
  'periodStartMs',
  'periodEndMs',
  'initialBalance',
  /** Deals up to this moment are contained in the initial balance. */
  'basisUtcMs',
  /** A late snapshot can be measured from this moment on: since then nothing was adjusted. */
  'measurableFromUtcMs',
  /** The part of the adjustment that is credit, which the balance does not contain. */
  'creditAdjustment',
  'tradeDayCount',
  /** Number of the newest trade day since 1970, and which of the days before it were trade days. */
  'lastTradeDay',
  'tradeDaysBefore',
  /** Nothing is measured before this moment. */
  'suspendedUntilUtcMs',
  /** The moment of the newest deal that funded a period that had begun without money. */
  'fundedUtcMs',
] as const;

export const TRACKER_NUMBERS = NAMES.length;

export const NOT_EXCEEDED = 0;
export const DRAWDOWN_EXCEEDED = 1;
export const PROFIT_EXCEEDED = 2;

/** Whether what an account has at a moment of the running period is measured. */
export const isMeasuring = (tracker: LiveTracker, utcMs: number): boolean =>
  tracker.exceeded === NOT_EXCEEDED && utcMs >= tracker.suspendedUntilUtcMs;

/** A tracker of a live account: its rule, shared with its like, and its running period. */
export class LiveTracker extends rowClass(NAMES) {
  readonly id: string;
  readonly rule: TrackerRule;
  /** Most have neither: then they take no memory of their own, as NaN and Infinity would. */
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
    row.block.set(this.block.subarray(this.at, this.at + TRACKER_NUMBERS), row.at);
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
