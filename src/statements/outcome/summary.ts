import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import { type Deal, isCredit, isTradeDeal, moneyOf } from '../../domain/deal.ts';
import type { Money } from '../../domain/money.ts';
import { createTradeState, foldTradeDeal } from '../../domain/trades/trade-state.ts';

/** The sums of a report's deals. */
export type Summary = {
  deals: number;
  /** Closed positions, in the form of historical trades. */
  trades: number;
  /** Deals that closed volume. */
  closingDeals: number;
  balanceOperations: number;
  /** Of all executions with their costs. */
  netProfit: Money;
  deposits: Money;
  /** Not negative. */
  withdrawals: Money;
  credit: Money;
  /** Of all deals except credit. */
  balance: Money;
  firstTimeMs?: BrokerTimeMs | undefined;
  /** When the first deal that moved the balance was made. */
  firstMoneyTimeMs?: BrokerTimeMs | undefined;
  lastTimeMs?: BrokerTimeMs | undefined;
};

/** @param deals in the order of compareDeals */
export function summarise(deals: readonly Deal[]): Summary {
  const summary: Summary = {
    ...{ deals: deals.length, trades: 0, closingDeals: 0, balanceOperations: 0 },
    ...{ netProfit: 0, deposits: 0, withdrawals: 0, credit: 0, balance: 0 },
    firstTimeMs: deals[0]?.timeMs,
    lastTimeMs: deals.at(-1)?.timeMs,
  };
  const state = createTradeState();
  for (const deal of deals) {
    for (const trade of foldTradeDeal(state, deal)) if (isTradeDeal(trade)) summary.trades += 1;
    add(summary, deal);
  }
  return summary;
}

function add(summary: Summary, deal: Deal): void {
  const money = moneyOf(deal);
  if (isCredit(deal)) summary.credit += money;
  else {
    summary.balance += money;
    if (money !== 0) summary.firstMoneyTimeMs ??= deal.timeMs;
  }
  if (isTradeDeal(deal)) {
    summary.netProfit += money;
    if (deal.entry !== 'DEAL_ENTRY_IN') summary.closingDeals += 1;
    return;
  }
  summary.balanceOperations += 1;
  if (deal.type !== 'DEAL_TYPE_BALANCE') return;
  if (money > 0) summary.deposits += money;
  else summary.withdrawals -= money;
}
