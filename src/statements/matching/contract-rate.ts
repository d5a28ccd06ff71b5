import { DAY_MS } from '../../domain/broker-time.ts';
import { fromVolume } from '../../domain/money.ts';
import { expectedProfit, moneyOfMove, slackOf } from './explained-profit.ts';
import { type Exit, type Group, hasOpenedBefore, type Position } from './hedging-groups.ts';

/**
 * What a lot earns when the price moves by 1: contract size times the rate of conversion, which the
 * report does not tell. Where the symbol is priced in the account's currency it is one number; where
 * the account's currency is its base, one number divided by the closing price; else it drifts.
 */
export type ContractRate = {
  /** In units of Money; to be divided by the closing price if `isPerPrice`. */
  rate: number;
  isPerPrice: boolean;
  /** How far it may be off, as a share. */
  spread: number;
};

export type RateOf = (exit: Exit) => ContractRate | undefined;

/** A closing deal, and the positions of its side that may have been open: `from` up to `to`. */
type Ballot = { exit: Exit; group: Group; from: number; to: number };

/** Shares by which the rates of one sample may differ, tried from the narrowest. */
const DRIFTS = [3e-3, 2e-2, 1e-1];
const DRIFTING_SUPPORT = 0.6;
/** Another rate that explains nearly as many leaves it open. */
const RIVAL_SHARE = 0.8;
/** One rate for the whole history: conversion at bid or ask is all that may differ. */
const CONSTANT_SPREADS = [1e-5, 3e-4];
const CONSTANT_SUPPORT = 0.85;
/** Bins that are looked at closely, and rates that are tried in each. */
const CLOSE_BINS = 12;
const CLOSE_RATES = 12;
const SAMPLE_EXITS = 200;
const SAMPLE_EXITS_MIN = 16;
/** Exits that share a first guess where the rate drifts. */
const SLICE_EXITS = 48;
/** Open prices of a sample in all, and of one exit: what learning may cost. */
const SAMPLE_OPENS_MAX = 40_000;
const BALLOT_OPENS_MAX = 4_000;
/** More open positions than this are narrowed down to those of the exit's own volume. */
const ALL_VOLUMES_UP_TO = 48;
/** Bins that one open price may reach over; a profit that says less says nothing. */
const BINS_MAX = 64;
/** How far a rate goes in a moment, and in a day (growing with the root of time), as a share. */
const DRIFT_MIN = 3e-3;
const DRIFT_OF_A_DAY = 4e-3;
const DRIFT_MAX = 0.1;
/** A rate that is this many times another one is no drift. */
const DRIFT_FACTOR_MAX = 2;
/** Neighbours in time that tell an exit's rate, and the least spread that they leave. */
const NEIGHBOURS = 11;
const NEIGHBOURS_SPREAD_MIN = 2e-4;

export type Rates = { rateOf: RateOf; isConstant: boolean };

/** Learns the rates of a symbol from both of its sides; `step` is the least printed money. */
export function learnRates(groups: readonly Group[], step: number): Rates {
  const ballots = groups
    .flatMap(ballotsOf)
    .filter(({ exit, from, to }) => exit.profit !== 0 && !exit.isCloseBy && to > from)
    .sort((a, b) => a.exit.rank - b.exit.rank);
  const constant = electConstant(clearest(ballots, SAMPLE_EXITS), step);
  if (constant) return { rateOf: () => constant, isConstant: true };
  return { rateOf: driftingRates(ballots, step) ?? (() => undefined), isConstant: false };
}

/** Learns a drifting rate again, from the positions that exits were given by the first guess. */
export function relearnRates(groups: readonly Group[], step: number): RateOf | undefined {
  const known: Known[] = [];
  for (const group of groups)
    for (const exit of group.exits) {
      const { position, profit, rank, timeMs } = exit;
      if (!position || exit.isCloseBy || step > Math.abs(profit) * DRIFT_MIN) continue;
      const rate = rateFrom({ exit, group }, position.openPrice, false);
      if (rate > 0) known.push({ rank, timeMs, rate });
    }
  if (known.length < NEIGHBOURS) return undefined;
  known.sort((a, b) => a.rank - b.rank);
  return ({ rank }) => {
    const from = Math.max(
      0,
      Math.min(known.length - NEIGHBOURS, firstFrom(known, rank) - (NEIGHBOURS >> 1)),
    );
    const near = known.slice(from, from + NEIGHBOURS);
    const rate = medianOf(near.map((other) => other.rate));
    const differing = 3 * medianOf(near.map((other) => Math.abs(other.rate / rate - 1)));
    const halfSpanMs = ((near.at(-1)?.timeMs ?? 0) - (near[0]?.timeMs ?? 0)) / 2;
    const spread = Math.max(NEIGHBOURS_SPREAD_MIN, differing, driftIn(halfSpanMs));
    return { rate, isPerPrice: false, spread: Math.min(DRIFT_MAX, spread) };
  };
}

/** Positions that may have been open are those since the side was last flat. */
function ballotsOf(group: Group): Ballot[] {
  const { positions, exits } = group;
  let [to, from, held, isCut] = [0, 0, 0, false];
  return exits.map((exit) => {
    for (; to < positions.length; to++) {
      const position = positions[to] as Position;
      if (!hasOpenedBefore(position, exit)) break;
      held += position.volume;
    }
    const ballot = { exit, group, from, to };
    held -= exit.volume;
    isCut ||= held < 0;
    if (held === 0 && !isCut) from = to;
    return ballot;
  });
}

/** The open prices that the exit's position may have had. */
function opensOf({ exit, group, from, to }: Ballot): number[] {
  if (exit.position) return [exit.position.openPrice];
  const all: number[] = [];
  const equal: number[] = [];
  for (let at = from; at < to; at++) {
    const { remaining, openPrice, volume } = group.positions[at] as Position;
    if (remaining < exit.volume) continue;
    all.push(openPrice);
    if (volume === exit.volume) equal.push(openPrice);
  }
  const chosen = all.length > ALL_VOLUMES_UP_TO && equal.length > 0 ? equal : all;
  return chosen.slice(0, BALLOT_OPENS_MAX);
}

/**
 * Spread over the history, from each part the exit that tells most: a large profit, whose rate is
 * rounded least, and few positions that it may have closed.
 */
function clearest(ballots: readonly Ballot[], count: number): Ballot[] {
  const choices = ({ exit, from, to }: Ballot) => (exit.position ? 1 : to - from);
  const opens = ballots.reduce((sum, ballot) => sum + choices(ballot), 0);
  const affordable = Math.floor((SAMPLE_OPENS_MAX * ballots.length) / Math.max(1, opens));
  const parts = Math.min(count, ballots.length, Math.max(SAMPLE_EXITS_MIN, affordable));
  const told = (ballot: Ballot) => Math.abs(ballot.exit.profit) / choices(ballot);
  const best = new Map<number, Ballot>();
  for (const [at, ballot] of ballots.entries()) {
    const part = Math.floor((at * parts) / ballots.length);
    const known = best.get(part);
    if (!known || told(ballot) > told(known)) best.set(part, ballot);
  }
  return [...best.values()];
}

const votersOf = (sample: readonly Ballot[]): Voter[] =>
  sample
    .map((ballot) => ({ ballot, opens: opensOf(ballot) }))
    .filter(({ opens }) => opens.length > 0);

/** The drifting rate that the most exits can have; undefined when two do about equally well. */
function electDrifting(sample: readonly Ballot[], step: number): ContractRate | undefined {
  const voters = votersOf(sample);
  for (const spread of DRIFTS) {
    const [best, ...others] = poll(voters, step, spread, false);
    if (!best || best.support < DRIFTING_SUPPORT * voters.length) continue;
    const rival = others.find(({ place }) => Math.abs(place - best.place) > 2);
    if (rival && rival.support >= RIVAL_SHARE * best.support) continue;
    return { rate: weightedMedian(best.rates), isPerPrice: false, spread };
  }
  return undefined;
}

/**
 * One rate that explains nearly all exits of the sample to their last digit. Of rates that explain
 * equally many the roundest is taken: contracts are of 1, 100 or 100 000 units.
 */
function electConstant(sample: readonly Ballot[], step: number): ContractRate | undefined {
  const voters = votersOf(sample);
  if (voters.length === 0) return undefined;
  let winner: (ContractRate & { support: number }) | undefined;
  for (const isPerPrice of [false, true])
    for (const { rates } of poll(voters, step, 0, isPerPrice).slice(0, CLOSE_BINS))
      for (const rate of proposals(rates))
        for (const spread of CONSTANT_SPREADS) {
          const candidate = { rate, isPerPrice, spread };
          const support = supportOf(candidate, voters, step);
          if (winner && support < winner.support) continue;
          if (winner && support === winner.support && !isPlainer(candidate, winner)) continue;
          winner = { ...candidate, support };
        }
  return winner && winner.support >= CONSTANT_SUPPORT * voters.length ? winner : undefined;
}

/** The strongest exits' rates, and the round number near them. */
function proposals(rates: readonly WeightedRate[]): number[] {
  const strong = rates.toSorted((a, b) => b.weight - a.weight).slice(0, CLOSE_RATES);
  const own = strong.map(({ rate }) => rate);
  return [...new Set([...own, ...own.slice(0, 1).map((rate) => Number(rate.toPrecision(2)))])];
}

const isPlainer = (a: ContractRate, b: ContractRate): boolean =>
  a.spread - b.spread < 0 || (a.spread === b.spread && roundness(a.rate) < roundness(b.rate));

/** Digits that the number needs. */
const roundness = (rate: number): number => rate.toExponential(6).replace(/0*e.*$/, '').length;

/** Exits that some open price explains at this rate. */
function supportOf(rate: ContractRate, voters: readonly Voter[], step: number): number {
  let support = 0;
  for (const { ballot, opens } of voters) {
    const { exit, group } = ballot;
    const slack = slackOf(exit, rate, step);
    const isExplained = (open: number) =>
      Math.abs(expectedProfit(exit, open, group.direction, rate) - exit.profit) <= slack;
    if (opens.some(isExplained)) support += 1;
  }
  return support;
}

type Voter = { ballot: Ballot; opens: number[] };
type WeightedRate = { rate: number; weight: number };
type Bin = { place: number; support: number; last: number; rates: WeightedRate[] };

/**
 * Every open price gives a rate that would explain the exit's profit, give or take its rounding.
 * Returns the bins of rates, those that the most exits reach first.
 */
function poll(voters: readonly Voter[], step: number, spread: number, isPerPrice: boolean): Bin[] {
  const roundings = voters.map(({ ballot }) => step / Math.abs(ballot.exit.profit));
  const width = Math.max(2 * spread, medianOf(roundings));
  const bins = new Map<number, Bin>();
  for (const [voter, { ballot, opens }] of voters.entries()) {
    const rounding = roundings[voter] ?? 0;
    const slack = Math.max(width / 2, rounding);
    if (slack > width * BINS_MAX) continue;
    for (const open of opens) {
      const rate = rateFrom(ballot, open, isPerPrice);
      if (!(rate > 0) || !Number.isFinite(rate)) continue;
      const centre = Math.log(rate);
      const last = Math.floor((centre + slack) / width);
      for (let place = Math.floor((centre - slack) / width); place <= last; place++) {
        const bin = bins.get(place) ?? { place, support: 0, last: -1, rates: [] };
        if (bin.last !== voter) bin.support += 1;
        bin.last = voter;
        bin.rates.push({ rate, weight: 1 / rounding });
        bins.set(place, bin);
      }
    }
  }
  return [...bins.values()].sort((a, b) => b.support - a.support);
}

/**
 * A rate that drifts is guessed for some exits at a time. Exits whose profit only one position then
 * explains tell their moment's rate, and those between two such moments have a rate near theirs.
 */
function driftingRates(ballots: readonly Ballot[], step: number): RateOf | undefined {
  const known: Known[] = [];
  let guess: ContractRate | undefined;
  for (let start = 0; start < ballots.length; start += SLICE_EXITS) {
    const slice = clearest(ballots.slice(start, start + SLICE_EXITS), SLICE_EXITS);
    guess = electDrifting(slice, step) ?? guess;
    for (const ballot of slice) {
      if (step / Math.abs(ballot.exit.profit) > DRIFT_MIN) continue;
      const rate = onlyRate(ballot, guess);
      if (rate) known.push({ rank: ballot.exit.rank, timeMs: ballot.exit.timeMs, rate });
    }
  }
  if (known.length === 0) return guess && (() => guess);
  return (exit) => rateBetween(known, exit);
}

type Known = { rank: number; timeMs: number; rate: number };

/** The rate that the exit tells by itself, because one position only explains it. */
function onlyRate(ballot: Ballot, guess: ContractRate | undefined): number | undefined {
  const rates = opensOf(ballot).map((open) => rateFrom(ballot, open, false));
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

function firstFrom(known: readonly { rank: number }[], rank: number): number {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((known[middle]?.rank ?? 0) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

function rateFrom(
  { exit, group }: Pick<Ballot, 'exit' | 'group'>,
  open: number,
  isPerPrice: boolean,
): number {
  const moved = group.direction * (exit.price - open) * fromVolume(exit.volume);
  return (exit.profit / moved) * (isPerPrice ? exit.price : 1);
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

function weightedMedian(rates: readonly WeightedRate[]): number {
  const sorted = rates.toSorted((a, b) => a.rate - b.rate);
  let left = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  for (const { rate, weight } of sorted) {
    left -= weight;
    if (left <= 0) return rate;
  }
  return 0;
}
