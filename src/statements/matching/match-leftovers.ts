import type { RateOf } from './contract-rate.ts';
import { expectedProfit } from './explained-profit.ts';
import {
  assign,
  type Exit,
  type Group,
  hasOpenedBefore,
  isBeforeClose,
  type Position,
} from './hedging-groups.ts';

/** Leftover positions compared with one unexplained exit. */
const LEFTOVERS_MAX = 2_000;
/**
 * Share of the profit by which the nearest may be off if the rate drifts, and how much farther the
 * next must be.
 */
const NEAR = 0.1;
const CLEAR_CHOICE = 4;

/**
 * Gives exits that no open price explains to positions that are still open, the nearest profit
 * first. Returns those that may as well belong elsewhere: not those with one possible position and
 * no known rate, nor those that a slightly further drifted rate explains by one position only.
 */
export function matchLeftovers(
  { positions, direction }: Group,
  exits: readonly Exit[],
  { rateOf, drifts }: { rateOf: RateOf; drifts: boolean },
): Exit[] {
  const left = new Set(positions.filter(({ remaining }) => remaining > 0));
  return exits.filter((exit) => {
    const rate = rateOf(exit);
    const missOf = ({ openPrice }: Position): number =>
      rate ? Math.abs(expectedProfit(exit, openPrice, direction, rate) - exit.profit) : 0;
    let nearest: Position | undefined;
    let [least, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let looked = 0;
    for (const position of left) {
      if (++looked > LEFTOVERS_MAX) break;
      if (position.remaining < exit.volume || !hasOpenedBefore(position, exit)) continue;
      if (!isBeforeClose(position, exit)) continue;
      const miss = missOf(position);
      second = Math.min(second, Math.max(least, miss));
      if (miss >= least) continue;
      nearest = position;
      least = miss;
    }
    if (!nearest) return false;
    assign(exit, nearest);
    if (nearest.remaining === 0) left.delete(nearest);
    if (!rate) return second < Number.POSITIVE_INFINITY;
    const isNear = drifts && least <= Math.abs(exit.profit) * NEAR;
    return !isNear || second <= least * CLEAR_CHOICE;
  });
}
