import { ambiguityOf } from './ambiguity.ts';
import { type Exit, groupsOf } from './hedging-groups.ts';
import { matchWhole } from './match-by-list.ts';
import type { Rivals } from './match-by-profit.ts';
import { matchSymbol } from './match-symbol.ts';
import {
  emptyMatching,
  isExit,
  type ListedPosition,
  type Matching,
  type OrderedDeal,
} from './matching.ts';

export type Lists = {
  closed: readonly ListedPosition[];
  open: readonly ListedPosition[];
  /** Whether the report would list open positions, if there were any. */
  isOpenKnown: boolean;
};

/**
 * Hedging accounts: an entry's position has its order's number, and an exit closes one position.
 * 1. An exit belongs to the listed position that closed at its time, price and volume with its
 *    result,
 *    or with that of several exits together.
 * 2. Else to a position of its symbol and side, open at that time and large enough, whose open
 *    price explains its profit, by the contract's rate learned from the report itself.
 * 3. Remaining exits go to remaining positions, the nearest profit first. `step` is the least money
 * that the report prints.
 */
export function matchHedging(deals: readonly OrderedDeal[], lists: Lists, step: number): Matching {
  const result = emptyMatching(deals.length);
  const groups = groupsOf(deals, lists.closed, lists.open);
  for (const group of groups) matchWhole(group);
  const rivals: Rivals = new Map();
  for (const both of Map.groupBy(groups, ({ symbol }) => symbol).values())
    for (const exit of matchSymbol(both, step, rivals)) result.unexplained.push(exit.index);
  for (const [index, { deal, order }] of deals.entries())
    if (!isExit(deal)) result.positionIds[index] = order || deal.id;
  for (const { exits } of groups) for (const exit of exits) tell(exit, deals, result);
  result.ambiguous = ambiguityOf(rivals, lists.isOpenKnown);
  return result;
}

function tell(exit: Exit, deals: readonly OrderedDeal[], result: Matching): void {
  const { index, position } = exit;
  const { deal, order } = deals[index] as OrderedDeal;
  result.positionIds[index] = position?.id ?? (order || deal.id);
  if (!position || position.openRank < 0) result.unlisted.push(index);
  if (position && position.openRank < 0) {
    const { openTimeMs, openPrice } = position;
    result.openings.set(index, { timeMs: openTimeMs, price: openPrice });
  }
}
