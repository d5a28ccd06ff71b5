import { type BrokerTimeMs, formatBrokerTime } from '../broker-time.ts';
import type { Deal } from '../deal.ts';
import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';
import { foldOperation, type TradeState } from './trade-state.ts';

/** The balance just before a moment, stated by a source that lists no earlier deals. */
export type BalanceMark = { timeMs: BrokerTimeMs; balance: Money };

/**
 * Folds a mark; call it before the first deal at or after its time. The part of the balance that
 * the deals so far do not explain becomes one balance operation, a millisecond earlier so that it
 * precedes all deals of that moment. There is none if they explain all of it. Positions that were
 * opened while no balance was known had this one, so that their gain and risk have a rate.
 */
export function foldBalanceMark(state: TradeState, { timeMs, balance }: BalanceMark): Trade[] {
  const profit = balance - state.balance;
  if (profit === 0) return [];
  const deal: Deal = {
    id: `carried-in:${formatBrokerTime(timeMs)}`,
    type: 'DEAL_TYPE_BALANCE',
    ...{ volume: 0, profit, swap: 0, commission: 0, fee: 0 },
    timeMs: timeMs - 1,
    comment: 'Balance carried in: the report starts here',
  };
  const lines = foldOperation(state, deal);
  state.balance = balance;
  for (const position of state.positions.values())
    if (position.balanceBefore === 0) position.balanceBefore = balance;
  return lines;
}
