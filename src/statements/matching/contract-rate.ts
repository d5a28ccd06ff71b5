import type { Exit } from './hedging-groups.ts';

/**
 * The money of a lot for a price move of 1: contract size times the rate of conversion, which the
 * report does not state. If the symbol is priced in the account's currency, it is constant; if the
 * account's currency is its base, constant divided by the closing price; otherwise it drifts.
 */
export type ContractRate = {
  /** In units of Money; divided by the closing price if `isPerPrice`. */
  rate: number;
  isPerPrice: boolean;
  /** Its possible error, as a share. */
  spread: number;
};

export type RateOf = (exit: Exit) => ContractRate | undefined;
