import { fromUnits } from '../money.ts';
import type { MarginAccount } from './rules.ts';
import { MarginUnavailable } from './unavailable.ts';

/** The number that whole units of the account's currency digits print as. */
export function amountOf(units: bigint, account: MarginAccount): number {
  if (units > BigInt(Number.MAX_SAFE_INTEGER))
    throw new MarginUnavailable('the margin is too large to be stored exactly');
  return fromUnits(Number(units), account.currencyDigits);
}
