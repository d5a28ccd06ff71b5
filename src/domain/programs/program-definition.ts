import type { BrokerTimeMs } from '../broker-time.ts';
import type { AdjustableDealType, ResetClock, TrackerAction } from '../live/tracker-definition.ts';
import type { Money } from '../money.ts';

/*
 * The rule book of an evaluation, in the words of the firms that publish one. A program is a row of
 * phases. A phase ends by a rule that is broken (failed) or when all of its objectives are met at
 * once (passed); one without objectives, as that of a funded account, never passes.
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
    /** The limit is broken by reaching it; by strictly more where absent. */
    inclusive?: boolean | undefined;
    /** Warns, once a day or phase, when so much of the limit is used up: a fraction of 1. */
    warnAt?: number | undefined;
    /** What a breach does: it ends the phase (default), or is an event and no more. */
    onBreach?: 'fail' | 'record' | undefined;
  };

/** Loss of equity within a day. */
export type DailyLoss = LossLimit & {
  kind: 'dailyLoss';
  /**
   * What it is measured from: the balance (default), the equity or the higher of them when the day
   * began, or the highest equity of the day so far.
   */
  from?: 'balance' | 'equity' | 'higherOfBoth' | 'peakEquity' | undefined;
  /** What the share is of; default `initialBalance`. */
  shareOf?: 'initialBalance' | 'dayStart' | undefined;
};

/** Loss of equity over the phase. */
export type MaximumLoss = LossLimit & {
  kind: 'maximumLoss';
  /** The peak that the floor follows; absent: it stays below the initial balance. */
  trails?: 'equity' | 'balance' | 'endOfDayBalance' | undefined;
  /** What the share is of; default `initialBalance`. */
  shareOf?: 'initialBalance' | 'peak' | undefined;
  /** A trailing floor rises no higher than the initial balance and this. */
  lockAbove?: Money | undefined;
};

/** The phase must be passed on one of its first so many days. */
export type TimeLimit = Answer & { kind: 'timeLimit'; days: number };
/** So many whole days in a row may not pass without a trade. */
export type Inactivity = Answer & { kind: 'inactivity'; days: number };

export type ProfitTarget = Size & {
  kind: 'profitTarget';
  /**
   * What must have won so much: default `balance`; `lowerOfBoth` counts open losses, not profits.
   */
  by?: 'balance' | 'equity' | 'lowerOfBoth' | undefined;
};

/** Days on which a position was opened, or with any trade. */
export type TradingDays = {
  kind: 'tradingDays';
  days: number;
  /** Default `opened`. */
  count?: 'opened' | 'traded' | undefined;
};

/** Days that are over and whose deals made at least so much; a share is of the initial balance. */
export type ProfitableDays = Size & { kind: 'profitableDays'; days: number };

/** The best day made no more than a share of the whole. */
export type Consistency = {
  kind: 'consistency';
  share: number;
  /** The whole: the sum of all days (default), of the winning ones, or the profit target. */
  of?: 'profit' | 'winningDays' | 'profitTarget' | undefined;
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
  /** Without it the phase begins with the first that is heard of the account. */
  startTimeMs?: BrokerTimeMs | undefined;
};

export const isLossRule = (rule: Rule): rule is LossRule =>
  rule.kind === 'dailyLoss' || rule.kind === 'maximumLoss';
