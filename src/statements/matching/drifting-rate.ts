import { DAY_MS } from '../../domain/broker-time.ts';
import { countFirst } from '../../domain/count-first.ts';
import type { ContractRate, RateOf } from './contract-rate.ts';
import { moneyOfMove } from './explained-profit.ts';
import type { Exit, Group } from './hedging-groups.ts';
import {
  ballotsOf,
  clearest,
  medianOf,
  poll,
  ratesOf,
  type Voter,
  weightedMedian,
} from './rate-votes.ts';

/** Shares by which the rates of one slice may differ, tried from the smallest. */
const DRIFTS = [3e-3, 2e-2, 1e-1];
/** Share of a slice that its rate explains at least. */
const SUPPORT = 0.6;
/** Another rate that explains nearly as many makes it ambiguous. */
const RIVAL_SHARE = 0.8;
/** Exits that share a first guess, and open prices compared with them. */
const SLICE_EXITS = 48;
const SLICE_OPENS_MAX = 8_000;
/** How far a rate moves in a moment, and in a day (with the root of time), as a share. */
const DRIFT_MIN = 3e-3;
const DRIFT_OF_A_DAY = 4e-3;
const DRIFT_MAX = 0.1;
/** A rate this many times another one is no drift. */
const DRIFT_FACTOR_MAX = 2;
/** Neighbours in time that determine an exit's rate, and the least spread assumed. */
const NEIGHBOURS = 11;
const NEIGHBOURS_SPREAD_MIN = 2e-4;

/**
 * A rate that drifts is guessed for some exits at a time. Exits whose profit only one position then
 * explains reveal their moment's rate, and those between two such moments have a rate near theirs.
 */
export function driftingRateOf(groups: readonly Group[], step: number): RateOf | undefined {
  const ballots = ballotsOf(groups);
  const known: Known[] = [];
  let guess: ContractRate | undefined;
  for (let start = 0; start < ballots.length; start += SLICE_EXITS) {
    const slice = ballots.slice(start, start + SLICE_EXITS);
    const voters = clearest(slice, SLICE_EXITS, SLICE_OPENS_MAX);
    guess = electDrifting(voters, step) ?? guess;
    for (const voter of voters) {
      const { profit, rank, timeMs } = voter.ballot.exit;
      if (step / Math.abs(profit) > DRIFT_MIN) continue;
      const rate = onlyRate(voter, guess);
      if (rate) known.push({ rank, timeMs, rate });
    }
  }
  if (known.length === 0) return guess && (() => guess);
  return (exit) => rateBetween(known, exit);
}

/** Learns a drifting rate again, from the positions given to exits by the first guess. */
export function relearnRates(groups: readonly Group[], step: number): RateOf | undefined {
  const known: Known[] = [];
  for (const group of groups)
    for (const exit of group.exits) {
      const { position, profit, rank, timeMs } = exit;
      if (!position || exit.isCloseBy || step > Math.abs(profit) * DRIFT_MIN) continue;
      const rate = ratesOf({ exit, group }, false)(position.openPrice);
      if (rate > 0) known.push({ rank, timeMs, rate });
    }
  if (known.length < NEIGHBOURS) return undefined;
  known.sort((a, b) => a.rank - b.rank);
  const last = known.length - NEIGHBOURS;
  const rates = Array.from({ length: last + 1 }, (_, from) =>
    rateAmong(known.slice(from, from + NEIGHBOURS)),
  );
  return ({ rank }) =>
    rates[Math.max(0, Math.min(last, firstFrom(known, rank) - (NEIGHBOURS >> 1)))];
}

/** The rate of some moments in succession; its error is their spread. */
function rateAmong(near: readonly Known[]): ContractRate {
  const rate = medianOf(near.map((other) => other.rate));
  const differing = 3 * medianOf(near.map((other) => Math.abs(other.rate / rate - 1)));
  const halfSpanMs = ((near.at(-1)?.timeMs ?? 0) - (near[0]?.timeMs ?? 0)) / 2;
  const spread = Math.max(NEIGHBOURS_SPREAD_MIN, differing, driftIn(halfSpanMs));
  return { rate, isPerPrice: false, spread: Math.min(DRIFT_MAX, spread) };
}

/** The drifting rate that fits the most exits; undefined if two fit about equally well. */
function electDrifting(voters: readonly Voter[], step: number): ContractRate | undefined {
  for (const spread of DRIFTS) {
    const [best, ...others] = poll(voters, step, spread, false);
    if (!best || best.support < SUPPORT * voters.length) continue;
    const rival = others.find(({ place }) => Math.abs(place - best.place) > 2);
    if (rival && rival.support >= RIVAL_SHARE * best.support) continue;
    return { rate: weightedMedian(best.rates), isPerPrice: false, spread };
  }
  return undefined;
}

type Known = { rank: number; timeMs: number; rate: number };

/** The rate revealed by the exit alone, because only one position explains it. */
function onlyRate({ ballot, opens }: Voter, guess: ContractRate | undefined): number | undefined {
  const rates = opens.map(ratesOf(ballot, false));
  const [first] = rates;
  if (!guess) return rates.length === 1 && first !== undefined && first > 0 ? first : undefined;
  const expected = moneyOfMove(guess, ballot.exit);
  const near = rates.filter((rate) => Math.abs(rate / expected - 1) <= 1.5 * guess.spread);
  if (near.length === 1) return near[0];
  const isPossible =
    rates.length === 1 && first !== undefined && first > expected / DRIFT_FACTOR_MAX;
  return isPossible && first < expected * DRIFT_FACTOR_MAX ? first : undefined;
}

function rateBetween(known: readonly Known[], exit: Exit): ContractRate | undefined {
  const at = firstFrom(known, exit.rank);
  const after = known[at] ?? known.at(-1);
  const before = known[at - 1] ?? after;
  if (!after || !before) return undefined;
  const length = after.timeMs - before.timeMs || 1;
  const share = Math.min(1, Math.max(0, (exit.timeMs - before.timeMs) / length));
  const rate = before.rate + (after.rate - before.rate) * share;
  const nearestMs = Math.min(
    Math.abs(exit.timeMs - before.timeMs),
    Math.abs(exit.timeMs - after.timeMs),
  );
  const spread = Math.max(DRIFT_MIN, driftIn(nearestMs));
  return { rate, isPerPrice: false, spread: Math.min(DRIFT_MAX, spread) };
}

const driftIn = (timeMs: number): number => DRIFT_OF_A_DAY * Math.sqrt(timeMs / DAY_MS);

const firstFrom = (known: readonly { rank: number }[], rank: number): number =>
  countFirst(known.length, (place) => (known[place]?.rank ?? 0) < rank);
