import type { Baseline } from './trackers.ts';

/** Rules that a phase must not break. */
export const RULE_KINDS = {
  dailyLoss: 'Daily loss',
  maximumLoss: 'Maximum loss',
  timeLimit: 'Time limit',
  inactivity: 'Inactivity',
  allowedSymbols: 'Allowed symbols',
  openAtOnce: 'Open at once',
  hedging: 'Hedging',
  closedHours: 'Closed hours',
  holdingTime: 'Holding time',
  openLoss: 'Open loss',
} as const;
export type RuleKind = keyof typeof RULE_KINDS;

/** Goals of a phase. */
export const OBJECTIVE_KINDS = {
  profitTarget: 'Profit target',
  tradingDays: 'Trading days',
  profitableDays: 'Profitable days',
  consistency: 'Consistency',
} as const;
export type ObjectiveKind = keyof typeof OBJECTIVE_KINDS;

export const ENROLMENT_STATES = ['running', 'paused', 'passed', 'failed', 'withdrawn'] as const;
export type EnrolmentState = (typeof ENROLMENT_STATES)[number];

/** States that a user can ask for. */
export const ASKED_STATES = ['running', 'paused', 'withdrawn'] as const;
export type AskedState = (typeof ASKED_STATES)[number];

type Measured = { baseline: Baseline; title: string };

/** The baseline of a daily loss's tracker. */
export const DAY_STARTS = {
  balance: { baseline: 'startBalance', title: 'the balance that the day began with' },
  equity: { baseline: 'startEquity', title: 'the equity that the day began with' },
  higherOfBoth: {
    baseline: 'maxOfBoth',
    title: 'the higher of balance and equity that the day began with',
  },
  peakEquity: { baseline: 'peakEquity', title: 'the highest equity of the day so far' },
} as const satisfies Record<string, Measured>;
export type DayStart = keyof typeof DAY_STARTS;

/** The peak that the floor of a maximum loss follows: the baseline of its tracker. */
export const TRAILS = {
  equity: { baseline: 'peakEquity', title: 'the highest equity, at any moment' },
  balance: { baseline: 'peakBalance', title: 'the highest balance, at any moment' },
  endOfDayBalance: {
    baseline: 'peakEndOfDayBalance',
    title: 'the highest balance at the end of a day',
  },
} as const satisfies Record<string, Measured>;
export type Trail = keyof typeof TRAILS;

/** The amount that a loss limit is a share of. */
export const SHARE_BASES = {
  initialBalance: 'the initial balance',
  dayStart: 'what the day began with',
  peak: 'the peak',
} as const;
export type ShareBase = keyof typeof SHARE_BASES;

/** What is measured: the balance is that of closed trades only. */
export const MEASURED_FIGURES = { equity: 'equity', balance: 'balance' } as const;
export type MeasuredFigure = keyof typeof MEASURED_FIGURES;

/** Which readings of a day may break a daily loss. */
export const LOSS_VERDICTS = {
  always: 'at any moment',
  dayEnd: 'at the end of the day',
} as const;
export type LossVerdict = keyof typeof LOSS_VERDICTS;

/** Whether a breach ends the phase, or is only recorded as an event. */
export const ON_BREACH = ['fail', 'record'] as const;
export type OnBreach = (typeof ON_BREACH)[number];

/** What a rule counts together: all that the account has open, or each symbol by itself. */
export const OPEN_SCOPES = { account: 'in the account', symbol: 'in each symbol' } as const;
export type OpenScope = keyof typeof OPEN_SCOPES;

/** What closed hours forbid: to open positions, or to have any open. */
export const FORBIDDEN_ACTS = { opening: 'opening', holding: 'holding' } as const;
export type ForbiddenAct = keyof typeof FORBIDDEN_ACTS;

/** What shows how much an open position lost: only what its closes realised. */
export const LOSS_SIGHTS = ['closes'] as const;
export type LossSight = (typeof LOSS_SIGHTS)[number];

/** What a payout does to the floor of a maximum loss: it is lowered by it unless said otherwise. */
export const PAYOUT_FLOORS = {
  follows: 'sinks by the payout',
  stays: 'stays where it is',
  locks: 'locks at once',
} as const;
export type PayoutFloor = keyof typeof PAYOUT_FLOORS;

/** Why nothing may be withdrawn now. */
export const PAYOUT_HINDRANCES = {
  waiting: 'the phase has not begun, or its money is not known yet',
  paused: 'the enrolment is paused',
  days: 'too few days have passed',
  objectives: 'an objective is not met',
  profit: 'there is not enough profit',
} as const;
export type PayoutHindrance = keyof typeof PAYOUT_HINDRANCES;

/** The amount that must reach the target; `lowerOfBoth` counts open losses, not open profits. */
export const TARGET_MEASURES = {
  balance: 'the balance',
  equity: 'the equity',
  lowerOfBoth: 'the lower of balance and equity',
} as const;
export type TargetMeasure = keyof typeof TARGET_MEASURES;

/** Which days count: those on which a position was opened, or all with a trade. */
export const TRADING_DAY_COUNTS = ['opened', 'traded'] as const;
export type TradingDayCount = (typeof TRADING_DAY_COUNTS)[number];

/** The amount that the best day is a share of. */
export const CONSISTENCY_WHOLES = {
  profit: 'the profit of all days',
  winningDays: 'the profit of the winning days',
  profitTarget: 'the profit target',
} as const;
export type ConsistencyWhole = keyof typeof CONSISTENCY_WHOLES;

/** What a preview saw of the past: snapshots, or only the balances that deals made. */
export const PREVIEW_SIGHTS = ['snapshots', 'deals'] as const;
export type PreviewSight = (typeof PREVIEW_SIGHTS)[number];

/** Violations of an enrolment that are kept and told: the newest; and deals that each names. */
export const MAX_VIOLATIONS = 20;
export const MAX_VIOLATION_DEALS = 20;
/** Deals that a warning names: a page holds a thousand of them. */
export const MAX_WARNING_DEALS = 4;
/** Positions that a rule may allow to be open at a time. */
export const MAX_OPEN_POSITIONS = 200;
/** The longest time that a rule may demand a position to be held. */
export const MAX_HELD_SECONDS = 31_536_000;
