import type { AdjustableDealType } from '../../words/deals.ts';
import type {
  ConsistencyWhole,
  DayStart,
  ForbiddenAct,
  LossVerdict,
  MeasuredFigure,
  OnBreach,
  OpenScope,
  PayoutFloor,
  ShareBase,
  TargetMeasure,
  TradingDayCount,
  Trail,
} from '../../words/programs.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import type { ResetClock, TrackerAction } from '../live/tracker-definition.ts';
import type { Money, Volume } from '../money.ts';

/*
 * The rule book of an evaluation, in the terms of the firms that publish one. A program is a series
 * of phases. A phase ends when a rule is broken (failed) or all of its objectives are met at once
 * (passed); one without objectives never passes. Nor does one with payouts, that of a funded
 * account: there the objectives are what a payout requires, and each payout begins them anew.
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
    /** What must not fall: the equity (default), or the balance, that is closed trades only. */
    measured?: MeasuredFigure | undefined;
    /** Reaching the limit breaks it. Default false: only strictly more does. */
    inclusive?: boolean | undefined;
    /** Warns, once a day or phase, when this part of the limit, a fraction of 1, is used up. */
    warnAt?: number | undefined;
    /** A breach ends the phase (default), or is only recorded as an event. */
    onBreach?: OnBreach | undefined;
    /** With `onBreach: 'record'` and payouts: the most of `split` from its first breach on. */
    splitOnBreach?: number | undefined;
    /** As that of a tracker. */
    settleSeconds?: number | undefined;
  };

/** Loss within a day. */
export type DailyLoss = LossLimit & {
  kind: 'dailyLoss';
  /**
   * Its baseline: the balance (default), the equity or the higher of both at the start of the day,
   * or the highest equity of the day so far.
   */
  from?: DayStart | undefined;
  /** The base of the share; default `initialBalance`. */
  shareOf?: Exclude<ShareBase, 'peak'> | undefined;
  /** Default `always`; with `dayEnd` only the last reading of a day breaks it. */
  judged?: LossVerdict | undefined;
  /** With `onBreach: 'record'`: as many breaches, one a day, end the phase after all. */
  failsAt?: number | undefined;
};

/** Loss over the phase. */
export type MaximumLoss = LossLimit & {
  kind: 'maximumLoss';
  /** The peak that the floor follows; absent: it stays at its distance from the initial balance. */
  trails?: Trail | undefined;
  /** The base of the share; default `initialBalance`. */
  shareOf?: Exclude<ShareBase, 'dayStart'> | undefined;
  /** A trailing floor rises no higher than the initial balance plus this. */
  lockAbove?: Money | undefined;
  /** What a payout does to the floor; default `follows`. */
  onPayout?: PayoutFloor | undefined;
};

/** The phase must be passed within this many days, its first included. */
export type TimeLimit = Answer & { kind: 'timeLimit'; days: number };
/** This many whole days in a row must not pass without a trade. */
export type Inactivity = Answer & { kind: 'inactivity'; days: number };

type OverDeals = Answer & {
  /** A breach ends the phase (default), or is only counted and listed. */
  onBreach?: OnBreach | undefined;
  /** With `onBreach: 'record'`: as many breaches end the phase after all. */
  failsAt?: number | undefined;
};

type Warned = {
  /** Warns, once a phase, when this part of the limit, a fraction of 1, is reached. */
  warnAt?: number | undefined;
};

/**
 * Positions are opened in some symbols only: names, or their beginnings followed by `*`. Without
 * `only`, in all but `excluded`.
 */
export type AllowedSymbols = OverDeals & {
  kind: 'allowedSymbols';
  only?: readonly string[] | undefined;
  excluded?: readonly string[] | undefined;
};
/** No more than so many lots, or positions, are open at the same time. */
export type OpenAtOnce = OverDeals & {
  kind: 'openAtOnce';
  lots?: Volume | undefined;
  positions?: number | undefined;
  /** Default `account`. */
  per?: OpenScope | undefined;
} & Warned;
/** A symbol is not held long and short at the same time. */
export type Hedging = OverDeals & { kind: 'hedging' };
/** From one moment of each week (`FRI 22:00`) or day (`22:00`) to another, an act is forbidden. */
export type ClosedHours = OverDeals & {
  kind: 'closedHours';
  starts: string;
  ends: string;
  forbids: ForbiddenAct;
};
/** A position is held for at least so long. */
export type HoldingTime = OverDeals & { kind: 'holdingTime'; seconds: number };
/**
 * No position has an open loss of more than this, by profit and swap; a share is of the initial
 * balance.
 */
export type OpenLoss = OverDeals &
  Warned &
  Size & {
    kind: 'openLoss';
    /** Reaching the limit breaks it. Default false: only strictly more does. */
    inclusive?: boolean | undefined;
  };
export type DealRule = AllowedSymbols | OpenAtOnce | Hedging | ClosedHours | HoldingTime | OpenLoss;

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

/**
 * What the trader of a funded account may withdraw, and when. A payout is any withdrawal: a deal of
 * the type DEAL_TYPE_BALANCE with less than 0. The profit is that which was not paid out yet.
 */
export type Payout = {
  /** Whole days since the day of the last payout; before the first, since the phase began. */
  days?: number | undefined;
  /** Instead of `days` before the first payout. */
  firstDays?: number | undefined;
  /** The part of the profit that may be withdrawn; default all. */
  share?: number | undefined;
  /** Profit that must stay in the account. */
  buffer?: Money | undefined;
  /** The least payout. */
  minimum?: Money | undefined;
  /** The most of the first payout, of the second and so on; the last is that of all others. */
  caps?: readonly Money[] | undefined;
  /** The trader's part of a payout, a fraction of 1; default all. */
  split?: number | undefined;
};

export type LossRule = DailyLoss | MaximumLoss;
export type Rule = LossRule | TimeLimit | Inactivity | DealRule;
export type Objective = ProfitTarget | TradingDays | ProfitableDays | Consistency;

export type Phase = {
  name: string;
  rules: readonly Rule[];
  objectives: readonly Objective[];
  resetClock?: ResetClock | undefined;
  /** Deals that are neither profit nor loss; default `['DEAL_TYPE_BALANCE']`. */
  adjustDeals?: readonly AdjustableDealType[] | undefined;
  /** Makes it the phase of a funded account. */
  payout?: Payout | undefined;
  /** Done on the account's platform, in this order, when the phase is passed. */
  actions?: readonly TrackerAction[] | undefined;
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

const DEAL_RULES: ReadonlySet<Rule['kind']> = new Set<DealRule['kind']>([
  ...(['allowedSymbols', 'openAtOnce', 'hedging', 'closedHours', 'holdingTime'] as const),
  'openLoss',
]);

/** Whether a rule is judged by the deals alone, whatever they brought: see deal-rules.ts. */
export const isDealRule = (rule: Rule): rule is DealRule => DEAL_RULES.has(rule.kind);

/** How many breaches of a rule fail the phase; Infinity if none does. */
export function breachesUntilFailed(rule: LossRule | DealRule): number {
  if (rule.onBreach !== 'record') return 1;
  return ('failsAt' in rule ? rule.failsAt : undefined) ?? Number.POSITIVE_INFINITY;
}
