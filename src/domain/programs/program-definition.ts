import type { AdjustableDealType } from '../../words/deals.ts';
import type {
  ConsistencyWhole,
  DayStart,
  OnBreach,
  ShareBase,
  TargetMeasure,
  TradingDayCount,
  Trail,
} from '../../words/programs.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import type { ResetClock, TrackerAction } from '../live/tracker-definition.ts';
import type { Money } from '../money.ts';

/*
 * The rule book of an evaluation, in the terms of the firms that publish one. A program is a series
 * of phases. A phase ends when a rule is broken (failed) or all of its objectives are met at once
 * (passed); one without objectives, like that of a funded account, never passes.
 *
 * Days are those of the phase's reset clock, or of the account's own clock from midnight to
 * midnight.
 */

type Answer = {
  /** Done on the account's platform, in this order, when the rule is broken. */
  actions?: readonly TrackerAction[] | undefined;
};

/** One of the two: a share (a fraction of 1, of which seven digits count) or an amount. */
export type Size = { share?: number | undefined; amount?: Money | undefined };

type LossLimit = Size &
  Answer & {
    /** Reaching the limit breaks it. Default false: only strictly more does. */
    inclusive?: boolean | undefined;
    /** Warns, once a day or phase, when this part of the limit, a fraction of 1, is used up. */
    warnAt?: number | undefined;
    /** A breach ends the phase (default), or is only recorded as an event. */
    onBreach?: OnBreach | undefined;
    /** As that of a tracker. */
    settleSeconds?: number | undefined;
  };

/** Loss of equity within a day. */
export type DailyLoss = LossLimit & {
  kind: 'dailyLoss';
  /**
   * Its baseline: the balance (default), the equity or the higher of both at the start of the day,
   * or the highest equity of the day so far.
   */
  from?: DayStart | undefined;
  /** The base of the share; default `initialBalance`. */
  shareOf?: Exclude<ShareBase, 'peak'> | undefined;
};

/** Loss of equity over the phase. */
export type MaximumLoss = LossLimit & {
  kind: 'maximumLoss';
  /** The peak that the floor follows; absent: it stays at its distance from the initial balance. */
  trails?: Trail | undefined;
  /** The base of the share; default `initialBalance`. */
  shareOf?: Exclude<ShareBase, 'dayStart'> | undefined;
  /** A trailing floor rises no higher than the initial balance plus this. */
  lockAbove?: Money | undefined;
};

/** The phase must be passed within this many days, its first included. */
export type TimeLimit = Answer & { kind: 'timeLimit'; days: number };
/** This many whole days in a row must not pass without a trade. */
export type Inactivity = Answer & { kind: 'inactivity'; days: number };

export type ProfitTarget = Size & {
  kind: 'profitTarget';
  /**
   * The amount that must gain this. Default `balance`; `lowerOfBoth` counts open losses, not open
   * profits.
   */
  by?: TargetMeasure | undefined;
};

/** Days on which a position was opened, or with any trade. */
export type TradingDays = {
  kind: 'tradingDays';
  days: number;
  /** Default `opened`. */
  count?: TradingDayCount | undefined;
};

/** Completed days whose deals made at least this; a share is of the initial balance. */
export type ProfitableDays = Size & { kind: 'profitableDays'; days: number };

/** The best day must make no more than a share of the whole. */
export type Consistency = {
  kind: 'consistency';
  share: number;
  /** The whole: the sum of all days (default), of the winning ones, or the profit target. */
  of?: ConsistencyWhole | undefined;
  /** A day of exactly that share is too much. */
  inclusive?: boolean | undefined;
};

export type LossRule = DailyLoss | MaximumLoss;
export type Rule = LossRule | TimeLimit | Inactivity;
export type Objective = ProfitTarget | TradingDays | ProfitableDays | Consistency;

export type Phase = {
  name: string;
  rules: readonly Rule[];
  objectives: readonly Objective[];
  resetClock?: ResetClock | undefined;
  /** Deals that are neither profit nor loss; default `['DEAL_TYPE_BALANCE']`. */
  adjustDeals?: readonly AdjustableDealType[] | undefined;
};

export type Program = { name: string; phases: readonly Phase[] };

/** One account in one phase of a program. */
export type EnrolmentDefinition = {
  id: string;
  phase: Phase;
  initialBalance: Money;
  /** Without it the phase begins with the account's next snapshot or deal. */
  startTimeMs?: BrokerTimeMs | undefined;
};

export const isLossRule = (rule: Rule): rule is LossRule =>
  rule.kind === 'dailyLoss' || rule.kind === 'maximumLoss';
