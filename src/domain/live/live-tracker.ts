import type { BrokerTimeMs } from '../broker-time.ts';
import { newNumbers } from './live-account.ts';
import type { TrackerRule } from './tracker-rule.ts';

/*
 * Numbers of a tracker's running period; see live-account.ts for why they are an array. The first
 * nine are those that every snapshot reads: they lie together, in one or two lines of cache.
 */
export const PERIOD_START_UTC_MS = 0;
/** Exclusive. Before the first period this is when the tracker starts. */
export const PERIOD_END_UTC_MS = 1;
/** End of the running day, where a peak follows the balances at ends of days. */
export const NEXT_DAY_UTC_MS = 2;
/** 0 nothing, 1 drawdown, 2 profit. */
export const EXCEEDED = 3;
/** What drawdown is measured from; a peak moves it up. */
export const BASELINE = 4;
/** What profit is measured from: the baseline as it stood first. */
export const PROFIT_BASELINE = 5;
/** Money of the deals of the period that are taken out of the equity. */
export const ADJUSTMENT = 6;
export const MAX_DRAWDOWN = 7;
export const MAX_PROFIT = 8;
export const DRAWDOWN_ALLOWED = 9;
export const PROFIT_ALLOWED = 10;
export const MAX_DRAWDOWN_TIME_MS = 11;
export const MAX_RELATIVE_DRAWDOWN = 12;
export const MAX_PROFIT_TIME_MS = 13;
/** The period by the broker's clock; the end exclusive. */
export const PERIOD_START_MS = 14;
export const PERIOD_END_MS = 15;
export const INITIAL_BALANCE = 16;
/** Deals up to this moment are contained in the initial balance. */
export const BASIS_UTC_MS = 17;
/** A late snapshot can be measured from this moment on: since then nothing was adjusted. */
export const MEASURABLE_FROM_UTC_MS = 18;
/** The part of the adjustment that is credit, which the balance does not contain. */
export const CREDIT_ADJUSTMENT = 19;
export const TRADE_DAY_COUNT = 20;
/** Number of the newest trade day since 1970, and which of the days before it were trade days. */
export const LAST_TRADE_DAY = 21;
export const TRADE_DAYS_BEFORE = 22;
export const TRACKER_NUMBERS = 23;

type Four = [number, number, number, number];
type Twenty = [...Four, ...Four, ...Four, ...Four, ...Four];
export type TrackerNumbers = [...Twenty, number, number, number];

export const NOT_EXCEEDED = 0;
export const DRAWDOWN_EXCEEDED = 1;
export const PROFIT_EXCEEDED = 2;

/** A tracker of a live account: its rule, shared with its like, and its running period. */
export class LiveTracker {
  readonly id: string;
  readonly rule: TrackerRule;
  readonly numbers: TrackerNumbers;
  /** Most have neither: then they take no memory of their own, as NaN and Infinity would. */
  private readonly start: BrokerTimeMs | undefined;
  private readonly end: BrokerTimeMs | undefined;

  constructor(
    id: string,
    rule: TrackerRule,
    start: BrokerTimeMs | undefined,
    end: BrokerTimeMs | undefined,
  ) {
    this.id = id;
    this.rule = rule;
    this.numbers = newNumbers(TRACKER_NUMBERS) as TrackerNumbers;
    this.start = start;
    this.end = end;
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
