import { DURATION_WORDS, DURATIONS, type Duration } from '../../words/statistics.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import type { Money, Volume } from '../money.ts';
import { heldMsOf } from '../trade.ts';
import { type CountedTrade, isLong } from './counted-trade.ts';
import { chained, gainPercentOf } from './growth.ts';
import { averageMoney, percentOf, ratioOf } from './ratio.ts';

/** Sums over the trades of one group. Money, volumes and tenths of pips add up exactly. */
export type GroupSum = {
  trades: number;
  won: number;
  long: number;
  profit: Money;
  wonProfit: Money;
  longProfit: Money;
  volume: Volume;
  /** Of the trades that have pips; absent if none has. */
  pipTenths?: number | undefined;
  heldMs: number;
  /** The product of 1 + result / balance before it. */
  factor: number;
  /** Trades with a known risk, and their results as multiples of it. */
  risked: number;
  multiples: number;
};

export type GroupSums<Key> = Map<Key, GroupSum>;

/** Statistics of a group of trades. Percentages as 5 for 5 %; money of averages is rounded. */
export type TradeGroup<Key> = Omit<GroupSum, 'pipTenths' | 'factor' | 'heldMs' | 'multiples'> & {
  key: Key;
  lost: number;
  short: number;
  wonPercent: number;
  lostPercent: number;
  longPercent: number;
  shortPercent: number;
  lostProfit: Money;
  shortProfit: Money;
  profitFactor?: number | undefined;
  expectancy?: Money | undefined;
  averageWin?: Money | undefined;
  averageLoss?: Money | undefined;
  pips?: number | undefined;
  /** Of the balance before each trade, compounded, in percent. */
  gain: number;
  averageHeldMs: number;
  averageMultiple?: number | undefined;
};

/** Most texts or numbers that get groups; further ones are counted together. */
export const MAX_KEYS = 500;
export const OTHERS = 'others';

/** 1970-01-01 was a Thursday; Sunday is 0. */
const FIRST_WEEKDAY = 4;

/** Weekday in broker time, Sunday 0 to Saturday 6. */
export const weekdayOf = (timeMs: number): number =>
  floorMod(Math.floor(timeMs / DAY_MS) + FIRST_WEEKDAY, 7);

/** Hour of the day in broker time, 0–23. */
export const hourOf = (timeMs: number): number => Math.floor(floorMod(timeMs, DAY_MS) / HOUR_MS);

const floorMod = (value: number, modulus: number): number =>
  ((value % modulus) + modulus) % modulus;

export function durationOf(trade: Pick<CountedTrade, 'openTimeMs' | 'closeTimeMs'>): Duration {
  const minutes = heldMsOf(trade) / MINUTE_MS;
  return DURATION_WORDS.find((word) => minutes < DURATIONS[word]) ?? 'over1w';
}

export const tenthsOf = (pips: number): number => Math.round(pips * 10);

export const noGroup = (): GroupSum => ({
  ...{ trades: 0, won: 0, long: 0, profit: 0, wonProfit: 0, longProfit: 0, volume: 0 },
  ...{ heldMs: 0, factor: 1, risked: 0, multiples: 0 },
});

/**
 * The group of a key. Beyond MAX_KEYS, a new key joins the group of the others, if there is one.
 */
export function groupOf<Key>(groups: GroupSums<Key>, key: Key, others?: Key): GroupSum {
  const known = groups.get(key);
  if (known) return known;
  const own = others === undefined || groups.size < MAX_KEYS ? key : others;
  const group = groups.get(own) ?? noGroup();
  groups.set(own, group);
  return group;
}

export function addToGroup(group: GroupSum, trade: CountedTrade): void {
  const { profit, pips, risk, closeBalance } = trade;
  group.trades += 1;
  group.profit += profit;
  group.volume += trade.volume;
  group.heldMs += heldMsOf(trade);
  if (profit > 0) {
    group.won += 1;
    group.wonProfit += profit;
  }
  if (isLong(trade)) {
    group.long += 1;
    group.longProfit += profit;
  }
  if (pips !== undefined) group.pipTenths = (group.pipTenths ?? 0) + tenthsOf(pips);
  const before = closeBalance - profit;
  if (before > 0) group.factor = chained(group.factor, Math.max(0, 1 + profit / before));
  if (risk !== undefined) {
    group.risked += 1;
    group.multiples += profit / risk;
  }
}

/** Joins the groups of trades and of later ones. */
export function joinGroups<Key>(
  a: GroupSums<Key>,
  b: GroupSums<Key>,
  others?: Key,
): GroupSums<Key> {
  const joined = new Map([...a].map(([key, sum]) => [key, { ...sum }]));
  for (const [key, sum] of b) addSum(groupOf(joined, key, others), sum);
  return joined;
}

/** All groups as one. */
export function totalGroupOf(groups: GroupSums<unknown>): GroupSum {
  const total = noGroup();
  for (const sum of groups.values()) addSum(total, sum);
  return total;
}

const ADDED = [
  ...(['trades', 'won', 'long', 'profit', 'wonProfit', 'longProfit', 'volume'] as const),
  ...(['heldMs', 'risked', 'multiples'] as const),
];

function addSum(group: GroupSum, sum: GroupSum): void {
  for (const name of ADDED) group[name] += sum[name];
  group.factor = chained(group.factor, sum.factor);
  if (sum.pipTenths !== undefined) group.pipTenths = (group.pipTenths ?? 0) + sum.pipTenths;
}

/** In the order of their keys. */
export function groupsFrom<Key extends string | number>(sums: GroupSums<Key>): TradeGroup<Key>[] {
  return [...sums]
    .map(([key, sum]) => groupFrom(key, sum))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

export function groupFrom<Key>(key: Key, sum: GroupSum): TradeGroup<Key> {
  const { pipTenths, factor, heldMs, multiples, ...plain } = sum;
  const { trades, won, long, profit, wonProfit, longProfit, risked } = plain;
  const [lost, short, lostProfit] = [trades - won, trades - long, profit - wonProfit];
  const share = (count: number): number => percentOf(count, trades) ?? 0;
  return {
    ...{ key, ...plain, lost, short, lostProfit, shortProfit: profit - longProfit },
    ...{ wonPercent: share(won), lostPercent: share(lost) },
    ...{ longPercent: share(long), shortPercent: share(short) },
    profitFactor: ratioOf(wonProfit, -lostProfit),
    expectancy: averageMoney(profit, trades),
    averageWin: averageMoney(wonProfit, won),
    averageLoss: averageMoney(lostProfit, lost),
    pips: pipTenths === undefined ? undefined : pipTenths / 10,
    gain: gainPercentOf(factor),
    averageHeldMs: ratioOf(heldMs, trades) ?? 0,
    averageMultiple: ratioOf(multiples, risked),
  };
}
