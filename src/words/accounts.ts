/** Families of trading platforms: MetaTrader 4 and 5. */
export const PLATFORMS = ['p4', 'p5'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** How a provisioning profile reaches its platform. */
export const PROFILE_KINDS = ['simulated', 'p5-web-api', 'p4-bridge'] as const;
export type ProfileKind = (typeof PROFILE_KINDS)[number];

/** How positions of one symbol are held, in the order of the p5 platform's numbers 0–2. */
export const MARGIN_MODES = [
  'ACCOUNT_MARGIN_MODE_RETAIL_NETTING',
  'ACCOUNT_MARGIN_MODE_EXCHANGE',
  'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
] as const;
export type AccountMarginMode = (typeof MARGIN_MODES)[number];

/** The quota that a deployed account counts in. */
export const TIERS = ['g1', 'g2'] as const;
export type Tier = (typeof TIERS)[number];

/** Passwords of an account on its platform. */
export const PASSWORD_KINDS = ['main', 'investor'] as const;
export type PasswordKind = (typeof PASSWORD_KINDS)[number];

/** Order types, in the order of the platforms' numbers 0–8; a p4 server knows the first six. */
export const ORDER_TYPES = [
  'ORDER_TYPE_BUY',
  'ORDER_TYPE_SELL',
  'ORDER_TYPE_BUY_LIMIT',
  'ORDER_TYPE_SELL_LIMIT',
  'ORDER_TYPE_BUY_STOP',
  'ORDER_TYPE_SELL_STOP',
  'ORDER_TYPE_BUY_STOP_LIMIT',
  'ORDER_TYPE_SELL_STOP_LIMIT',
  'ORDER_TYPE_CLOSE_BY',
] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/**
 * By the receipt of the newest snapshot. live: within five minutes; stale: longer ago; waiting:
 * none so far; undeployed: none is expected.
 */
export const ACCOUNT_STATES = ['live', 'stale', 'waiting', 'undeployed'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** Closed positions by side. */
export const CLOSED_SIDES = ['buy', 'sell'] as const;
export type ClosedSide = (typeof CLOSED_SIDES)[number];

/** Trades by side; other: balance operations and costs. */
export const TRADE_SIDES = [...CLOSED_SIDES, 'other'] as const;
export type TradeSide = (typeof TRADE_SIDES)[number];

/** Whose clock is wrong if the two disagree: those of some accounts, or the server's own. */
export const CLOCK_SUSPECTS = ['account', 'server'] as const;
export type ClockSuspect = (typeof CLOCK_SUSPECTS)[number];
