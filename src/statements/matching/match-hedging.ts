import { ambiguityOf } from './ambiguity.ts';
import { constantRateOf } from './constant-rate.ts';
import type { RateOf } from './contract-rate.ts';
import { driftingRateOf, relearnRates } from './drifting-rate.ts';
import { expectedProfit } from './explained-profit.ts';
import {
  assign,
  type Exit,
  type Group,
  groupsOf,
  hasOpenedBefore,
  isBeforeClose,
  type Position,
  release,
} from './hedging-groups.ts';
import { matchParts, matchWhole } from './match-by-list.ts';
import { matchByProfit, type Rivals } from './match-by-profit.ts';
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

const NO_RATE: RateOf = () => undefined;
/** Share of the exits that a constant rate leaves unexplained, which a drifting one may leave at most. */
const DRIFT_LEAVES = 0.5;
/** Leftover positions that one unexplained exit is held against. */
const LEFTOVERS_MAX = 2_000;

/**
 * Hedging accounts: an entry's position has its order's number, and an exit closes one position.
 * 1. An exit belongs to the listed position that closed at its time, price and volume with its result,
 *    or with that of several exits together.
 * 2. Else to a position of its symbol and side, open at that time and large enough, whose open
 *    price explains its profit, by the contract's rate learned from the report itself.
 * 3. What is left goes to what is left, the nearest profit first.
 * `step` is the least money that the report prints.
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

/**
 * Both sides of a symbol, which have one rate; returns the exits that nothing explains. A rate is taken
 * for constant only as long as no drifting one explains far more.
 */
function matchSymbol(groups: readonly Group[], step: number, rivals: Rivals): Exit[] {
  const open = groups.flatMap(({ exits }) => exits.filter(({ position }) => !position));
  if (open.length === 0) return [];
  const constant = constantRateOf(groups, step);
  let rateOf: RateOf = constant ? () => constant : (driftingRateOf(groups, step) ?? NO_RATE);
  for (const group of groups) matchParts(group, rateOf, step);
  const doubtful = open.filter(({ isFixed }) => !isFixed);
  const undo = () => {
    for (const exit of doubtful) {
      release(exit);
      rivals.delete(exit);
    }
  };
  const attempt = (by: RateOf): Exit[] => {
    undo();
    rateOf = by;
    return groups.flatMap((group) => matchByProfit(group, by, step, rivals));
  };
  const drift = (first: RateOf): Exit[] => {
    const left = attempt(first);
    const relearned = relearnRates(groups, step);
    return relearned ? attempt(relearned) : left;
  };
  let left = constant ? attempt(rateOf) : drift(rateOf);
  if (constant && left.length > 0) {
    undo();
    const drifting = driftingRateOf(groups, step);
    const fewer = drifting ? drift(drifting) : left;
    left = fewer.length <= left.length * DRIFT_LEAVES ? fewer : attempt(() => constant);
  }
  const unexplained = new Set(left);
  return groups.flatMap((group) =>
    matchLeftovers(
      group,
      group.exits.filter((exit) => unexplained.has(exit)),
      rateOf,
    ),
  );
}

/**
 * Gives exits that no open price explains to positions that are still open, the nearest profit first.
 * Returns them, less those of which nothing but the one position that is left can be told.
 */
function matchLeftovers(
  { positions, direction }: Group,
  exits: readonly Exit[],
  rateOf: RateOf,
): Exit[] {
  const left = new Set(positions.filter(({ remaining }) => remaining > 0));
  const doubtful: Exit[] = [];
  for (const exit of exits) {
    const rate = rateOf(exit);
    let nearest: Position | undefined;
    let [least, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let looked = 0;
    for (const position of left) {
      if (++looked > LEFTOVERS_MAX) break;
      if (position.remaining < exit.volume || !hasOpenedBefore(position, exit)) continue;
      if (!isBeforeClose(position, exit)) continue;
      const miss = rate
        ? Math.abs(expectedProfit(exit, position.openPrice, direction, rate) - exit.profit)
        : 1;
      second = Math.min(second, Math.max(least, miss));
      if (miss >= least) continue;
      nearest = position;
      least = miss;
    }
    if (!nearest) continue;
    assign(exit, nearest);
    if (nearest.remaining === 0) left.delete(nearest);
    if (rate || second < Number.POSITIVE_INFINITY) doubtful.push(exit);
  }
  return doubtful;
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
