import { constantRateOf } from './constant-rate.ts';
import type { RateOf } from './contract-rate.ts';
import { driftingRateOf, relearnRates } from './drifting-rate.ts';
import { type Exit, type Group, release } from './hedging-groups.ts';
import { matchParts } from './match-by-list.ts';
import { matchByProfit, type Rivals } from './match-by-profit.ts';
import { matchLeftovers } from './match-leftovers.ts';

/**
 * Share of the exits that a constant rate leaves unexplained, which a drifting one may leave at
 * most.
 */
const DRIFT_LEAVES = 0.5;

type Attempt = { rateOf: RateOf; drifts: boolean; left: ReadonlySet<Exit> };

/**
 * Both sides of a symbol, which have one rate; returns the unexplained exits. A rate counts as
 * constant unless a drifting one explains far more.
 */
export function matchSymbol(groups: readonly Group[], step: number, rivals: Rivals): Exit[] {
  const open = groups.flatMap(({ exits }) => exits.filter(({ position }) => !position));
  if (open.length === 0) return [];
  const constant = constantRateOf(groups, step);
  const known: RateOf | undefined = constant ? () => constant : driftingRateOf(groups, step);
  const first: RateOf = known ?? (() => undefined);
  for (const group of groups) matchParts(group, first, step);
  const doubtful = open.filter(({ isFixed }) => !isFixed);

  const undo = (): void => {
    for (const exit of doubtful) {
      release(exit);
      rivals.delete(exit);
    }
  };
  const attempt = (rateOf: RateOf, drifts: boolean): Attempt => {
    undo();
    const left = groups.flatMap((group) => matchByProfit(group, rateOf, step, rivals));
    return { rateOf, drifts, left: new Set(left) };
  };
  const drifting = (rateOf: RateOf): Attempt => {
    const guess = attempt(rateOf, true);
    const relearned = relearnRates(groups, step);
    return relearned ? attempt(relearned, true) : guess;
  };
  const best = (): Attempt => {
    if (!constant) return drifting(first);
    const steady = attempt(first, false);
    if (steady.left.size === 0) return steady;
    undo();
    const other = driftingRateOf(groups, step);
    const drifted = other && drifting(other);
    const explainsMore = drifted && drifted.left.size <= steady.left.size * DRIFT_LEAVES;
    return explainsMore ? drifted : attempt(first, false);
  };

  const chosen = best();
  return groups.flatMap((group) => {
    const left = group.exits.filter((exit) => chosen.left.has(exit));
    return matchLeftovers(group, left, chosen);
  });
}
