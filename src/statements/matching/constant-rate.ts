import type { ContractRate } from './contract-rate.ts';
import { openPricesOf } from './explained-profit.ts';
import type { Group } from './hedging-groups.ts';
import { ballotsOf, clearest, poll, type Voter, type WeightedRate } from './rate-votes.ts';

/** Only conversion at bid or ask may differ. */
const SPREADS = [1e-5, 3e-4];
/** Share of the sample that the rate explains at least. */
const SUPPORT = 0.85;
/** Bins examined closely, and rates tried in each. */
const CLOSE_BINS = 12;
const CLOSE_RATES = 12;
/** Exits of the sample, and open prices compared with them: the bound on the cost of learning. */
const SAMPLE_EXITS = 200;
const SAMPLE_OPENS_MAX = 40_000;

/**
 * One rate that explains nearly all exits of the sample to their last digit. Of rates that explain
 * equally many the roundest is taken: contracts are of 1, 100 or 100 000 units. `step` is the least
 * printed money.
 */
export function constantRateOf(groups: readonly Group[], step: number): ContractRate | undefined {
  const voters = clearest(ballotsOf(groups), SAMPLE_EXITS, SAMPLE_OPENS_MAX);
  if (voters.length === 0) return undefined;
  let winner: (ContractRate & { support: number }) | undefined;
  for (const isPerPrice of [false, true])
    for (const { rates } of poll(voters, step, 0, isPerPrice).slice(0, CLOSE_BINS))
      for (const rate of proposals(rates))
        for (const spread of SPREADS) {
          const candidate = { rate, isPerPrice, spread };
          const support = supportOf(candidate, voters, step);
          if (winner && support < winner.support) continue;
          if (winner && support === winner.support && !isPlainer(candidate, winner)) continue;
          winner = { ...candidate, support };
        }
  return winner && winner.support >= SUPPORT * voters.length ? winner : undefined;
}

/** The strongest exits' rates, and the round number near them. */
function proposals(rates: readonly WeightedRate[]): number[] {
  const strong = rates.toSorted((a, b) => b.weight - a.weight).slice(0, CLOSE_RATES);
  const own = strong.map(({ rate }) => rate);
  return [...new Set([...own, ...own.slice(0, 1).map((rate) => Number(rate.toPrecision(2)))])];
}

const isPlainer = (a: ContractRate, b: ContractRate): boolean =>
  a.spread - b.spread < 0 || (a.spread === b.spread && roundness(a.rate) < roundness(b.rate));

/** Digits of the number. */
const roundness = (rate: number): number => rate.toExponential(6).replace(/0*e.*$/, '').length;

/** Exits that some open price explains at this rate. */
function supportOf(rate: ContractRate, voters: readonly Voter[], step: number): number {
  let support = 0;
  for (const { ballot, opens } of voters) {
    const { exit, group } = ballot;
    const [low, high] = openPricesOf(exit, group.direction, rate, step) ?? [0, 0];
    if (opens.some((open) => open >= low && open <= high)) support += 1;
  }
  return support;
}
