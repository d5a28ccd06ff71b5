/**
 * In the order of the p5 platform's numbers 0–20; the last two are for unknown kinds: they moved
 * the balance, or the credit.
 */
export const DEAL_TYPES = [
  'DEAL_TYPE_BUY',
  'DEAL_TYPE_SELL',
  'DEAL_TYPE_BALANCE',
  'DEAL_TYPE_CREDIT',
  'DEAL_TYPE_CHARGE',
  'DEAL_TYPE_CORRECTION',
  'DEAL_TYPE_BONUS',
  'DEAL_TYPE_COMMISSION',
  'DEAL_TYPE_COMMISSION_DAILY',
  'DEAL_TYPE_COMMISSION_MONTHLY',
  'DEAL_TYPE_COMMISSION_AGENT_DAILY',
  'DEAL_TYPE_COMMISSION_AGENT_MONTHLY',
  'DEAL_TYPE_INTEREST',
  'DEAL_TYPE_BUY_CANCELED',
  'DEAL_TYPE_SELL_CANCELED',
  'DEAL_TYPE_DIVIDEND',
  'DEAL_TYPE_DIVIDEND_FRANKED',
  'DEAL_TYPE_TAX',
  'DEAL_TYPE_AGENT',
  'DEAL_TYPE_SO_COMPENSATION',
  'DEAL_TYPE_SO_COMPENSATION_CREDIT',
  'DEAL_TYPE_OTHER',
  'DEAL_TYPE_OTHER_CREDIT',
] as const;
export type DealType = (typeof DEAL_TYPES)[number];

/** Effect of a deal on its position, in the order of the p5 platform's numbers 0–3. */
export const DEAL_ENTRIES = [
  'DEAL_ENTRY_IN',
  'DEAL_ENTRY_OUT',
  'DEAL_ENTRY_INOUT',
  'DEAL_ENTRY_OUT_BY',
] as const;
export type DealEntry = (typeof DEAL_ENTRIES)[number];

/** Deals whose money can be taken out of the equity before it is measured, by their titles. */
export const ADJUSTABLE_DEALS = {
  DEAL_TYPE_BALANCE: 'Deposits and withdrawals',
  DEAL_TYPE_CREDIT: 'Credit',
  DEAL_TYPE_BONUS: 'Bonuses',
  DEAL_TYPE_CORRECTION: 'Corrections',
} as const satisfies Partial<Record<DealType, string>>;
export type AdjustableDealType = keyof typeof ADJUSTABLE_DEALS;

/** Those taken out by default. */
export const USUALLY_ADJUSTED: readonly AdjustableDealType[] = ['DEAL_TYPE_BALANCE'];

/** Deals that a manager can book; a p4 platform knows the first two. */
export const BALANCE_OPERATIONS = [
  'DEAL_TYPE_BALANCE',
  'DEAL_TYPE_CREDIT',
  'DEAL_TYPE_CHARGE',
  'DEAL_TYPE_CORRECTION',
  'DEAL_TYPE_BONUS',
] as const satisfies readonly DealType[];

/** Figures of a position in which its two sources can differ. */
export const WITNESSED_FIGURES = ['money', 'volume', 'closeTime', 'price'] as const;
/** The two sources that differ: the one that was there before, and the file. */
export const CONFLICT_SIDES = ['stored', 'stated'] as const;
export type ConflictSide = (typeof CONFLICT_SIDES)[number];
export type WitnessedFigure = (typeof WITNESSED_FIGURES)[number];

/** Of a deal, and of the limits of rules. */
export const MAX_LOTS = 10_000_000;
