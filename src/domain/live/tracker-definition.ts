import type { ActionConfirmation, ActionMoment, BreachActionWord } from '../../words/actions.ts';
import type { AdjustableDealType } from '../../words/deals.ts';
import type { PeriodWord } from '../../words/periods.ts';
import type { MeasuredFigure, PayoutFloor } from '../../words/programs.ts';
import type { Baseline, LimitBase } from '../../words/trackers.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';

/** A day that ends at a time of day in a zone of its own, whatever the broker's clock shows. */
export type ResetClock = { zone: string /** `HH:mm` */; time: string };

export type TrackerAction = {
  action: BreachActionWord;
  /** Where moveToGroup moves the account to. */
  group?: string;
  /** Only record the intended action. */
  dryRun?: boolean;
  /** What starts it; `breach` if it is not said. */
  moment?: ActionMoment;
  /** What it waits for; `platform` if it is not said. */
  confirm?: ActionConfirmation;
};

/** Default wait of a breach for an explanation of its money, if it starts actions. */
export const SETTLE_SECONDS_BEFORE_ACTIONS = 5;

/** Largest relative profit threshold: portionOf is exact up to here (9000 %). */
export const MAX_RELATIVE_PROFIT = 90;
/** Decimal digits of a relative threshold that count. */
export const RELATIVE_DIGITS = 7;

/**
 * A profit/drawdown tracker of one account. Everything but the name is fixed once it exists.
 * Relative thresholds are fractions of 1, absolute ones Money. A tracker without thresholds only
 * keeps statistics.
 */
export type TrackerDefinition = {
  /** Warns when this part of the drawdown limit, a fraction of 1, is used; once a period. */
  warnAt?: number | undefined;
  id: string;
  name: string;
  period: PeriodWord;
  /** Without it, periods follow the calendar from the first moment observed. */
  startTimeMs?: BrokerTimeMs | undefined;
  /** The last moment that counts (inclusive). */
  endTimeMs?: BrokerTimeMs | undefined;
  relativeDrawdownThreshold?: number | undefined;
  absoluteDrawdownThreshold?: Money | undefined;
  relativeProfitThreshold?: number | undefined;
  absoluteProfitThreshold?: Money | undefined;
  /** Whether reaching a threshold exceeds it. Default false: only strictly more does. */
  inclusive?: boolean | undefined;
  /** Default `startBalance`. */
  baseline?: Baseline | undefined;
  /** Required by baseline or limitBase `initialCapital`; the least start of a lifetime's peak. */
  initialCapital?: Money | undefined;
  /** Trailing baselines: the floor (baseline less allowed drawdown) never rises above this. */
  lockAt?: Money | undefined;
  /** The base of relative values. Default `baseline`. */
  limitBase?: LimitBase | undefined;
  /** What is measured; default `equity`. */
  measures?: MeasuredFigure | undefined;
  /** Only the last reading of a period may exceed a threshold of drawdown. Default: any. */
  judgedAtEnd?: boolean | undefined;
  /**
   * Of a funded account: what a withdrawal among the adjusted deals does to the floor. Default
   * `follows`; `locks` needs lockAt.
   */
  onPayout?: PayoutFloor | undefined;
  /** Default `['DEAL_TYPE_BALANCE']`. */
  adjustDeals?: readonly AdjustableDealType[] | undefined;
  /** Periods other than `lifetime` then follow this zone's calendar; its day ends at `time`. */
  resetClock?: ResetClock | undefined;
  /** Done on the account's platform, in this order, once each one's moment comes. */
  actions?: readonly TrackerAction[] | undefined;
  /**
   * How long a drawdown waits for an explanation if it would be within the limit were all
   * unexplained money a transfer. Default 0, or SETTLE_SECONDS_BEFORE_ACTIONS with actions.
   */
  settleSeconds?: number | undefined;
};
