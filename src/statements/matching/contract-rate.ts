import type { Exit } from './hedging-groups.ts';

/**
 * What a lot earns when the price moves by 1: contract size times the rate of conversion, which the
 * report does not tell. Where the symbol is priced in the account's currency it is one number;
 * where the account's currency is its base, one number divided by the closing price; else it
 * drifts.
 */
export type ContractRate = {
  /** In units of Money; to be divided by the closing price if `isPerPrice`. */
  rate: number;
  isPerPrice: boolean;
  /** How far it may be off, as a share. */
  spread: number;
};

export type RateOf = (exit: Exit) => ContractRate | undefined;
