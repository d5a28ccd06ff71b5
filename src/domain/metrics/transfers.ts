import type { DealType } from '../deal.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';

/** Deals that bring or take capital; all other deals without a position are costs or income. */
const TRANSFER_TYPES: ReadonlySet<DealType> = new Set<DealType>([
  'DEAL_TYPE_BALANCE',
  'DEAL_TYPE_CORRECTION',
  'DEAL_TYPE_BONUS',
  'DEAL_TYPE_SO_COMPENSATION',
]);

/** Deals that move the equity without being profit or loss: capital, and credit. */
export const CAPITAL_TYPES: readonly DealType[] = [...TRANSFER_TYPES, 'DEAL_TYPE_CREDIT'];

export const isTransfer = (trade: Pick<Trade, 'type'>): boolean => TRANSFER_TYPES.has(trade.type);

/** Whether the line changes the result of the account: neither capital nor credit. */
export const isResult = (trade: Pick<Trade, 'type'>): boolean =>
  !isTransfer(trade) && !isCredit(trade);

/** Both at least 0. */
export type Transfers = { deposits: Money; withdrawals: Money };

export function transfersOf(trades: readonly Trade[]): Transfers {
  let deposits = 0;
  let withdrawals = 0;
  for (const trade of trades) {
    if (!isTransfer(trade)) continue;
    if (trade.profit > 0) deposits += trade.profit;
    else withdrawals -= trade.profit;
  }
  return { deposits, withdrawals };
}
