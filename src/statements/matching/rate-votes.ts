import { fromVolume } from '../../domain/money.ts';
import { type Exit, type Group, hasOpenedBefore, type Position } from './hedging-groups.ts';

/** A closing deal, and the positions of its side that may have been open: `from` up to `to`. */
export type Ballot = { exit: Exit; group: Group; from: number; to: number };

/** The least number of exits in a sample. */
const SAMPLE_EXITS_MIN = 16;
/** More open positions than this are reduced to those of the exit's own volume. */
const ALL_VOLUMES_UP_TO = 48;
/** Bins that one open price may cover; a less precise profit says nothing. */
const BINS_MAX = 64;

/** The exits of a symbol that reveal something of its rate, in order of time. */
export const ballotsOf = (groups: readonly Group[]): Ballot[] =>
  groups
    .flatMap(ballotsOfSide)
    .filter(({ exit }) => exit.profit !== 0 && !exit.isCloseBy)
    .filter(({ exit, from, to }) => exit.position !== undefined || to > from)
    .sort((a, b) => a.exit.rank - b.exit.rank);

/** Possibly open positions are those since the side was last flat. */
function ballotsOfSide(group: Group): Ballot[] {
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

/** Possible open prices of the exit's position. */
function opensOf({ exit, group, from, to }: Ballot, max: number): number[] {
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
  return chosen.slice(0, max);
}

/**
 * Spread over the history, from each part the most significant exit: with a large profit, whose
 * rate is rounded least, and few possible positions.
 */
export function clearest(ballots: readonly Ballot[], count: number, opensMax: number): Voter[] {
  const choices = ({ exit, from, to }: Ballot) => (exit.position ? 1 : to - from);
  const opens = ballots.reduce((sum, ballot) => sum + choices(ballot), 0);
  const affordable = Math.floor((opensMax * ballots.length) / Math.max(1, opens));
  const parts = Math.min(count, ballots.length, Math.max(SAMPLE_EXITS_MIN, affordable));
  const told = (ballot: Ballot) => Math.abs(ballot.exit.profit) / choices(ballot);
  const best = new Map<number, Ballot>();
  for (const [at, ballot] of ballots.entries()) {
    const part = Math.floor((at * parts) / ballots.length);
    const known = best.get(part);
    if (!known || told(ballot) > told(known)) best.set(part, ballot);
  }
  return [...best.values()]
    .map((ballot) => ({ ballot, opens: opensOf(ballot, Math.ceil(opensMax / SAMPLE_EXITS_MIN)) }))
    .filter(({ opens }) => opens.length > 0);
}

export type Voter = { ballot: Ballot; opens: number[] };
export type WeightedRate = { rate: number; weight: number };
type Bin = { place: number; support: number; last: number; rates: WeightedRate[] };

/**
 * Every open price gives a rate that would explain the exit's profit, within its rounding. Returns
 * the bins of rates, those reached by the most exits first.
 */
export function poll(
  voters: readonly Voter[],
  step: number,
  spread: number,
  isPerPrice: boolean,
): Bin[] {
  const roundings = voters.map(({ ballot }) => step / Math.abs(ballot.exit.profit));
  const width = Math.max(2 * spread, medianOf(roundings));
  const bins = new Map<number, Bin>();
  for (const [voter, { ballot, opens }] of voters.entries()) {
    const rounding = roundings[voter] ?? 0;
    const slack = Math.max(width / 2, rounding);
    if (slack > width * BINS_MAX) continue;
    const rateFrom = ratesOf(ballot, isPerPrice);
    for (const open of opens) {
      const rate = rateFrom(open);
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

/** The rate implied by the exit's profit, for an open price. */
export function ratesOf(
  { exit, group }: Pick<Ballot, 'exit' | 'group'>,
  isPerPrice: boolean,
): (open: number) => number {
  const perMove = (group.direction * exit.profit) / fromVolume(exit.volume);
  const worth = perMove * (isPerPrice ? exit.price : 1);
  return (open) => worth / (exit.price - open);
}

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export function weightedMedian(rates: readonly WeightedRate[]): number {
  const sorted = rates.toSorted((a, b) => a.rate - b.rate);
  let left = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  for (const { rate, weight } of sorted) {
    left -= weight;
    if (left <= 0) return rate;
  }
  return 0;
}
