import { DAY_MS, HOUR_MS } from '../broker-time.ts';
import type { Money, Volume } from '../money.ts';
import type { Trade } from '../trade.ts';
import { percentOf } from './ratio.ts';

/** Sums over the trades of one group. */
export type TradeGroup<Key> = GroupSum & {
  key: Key;
  wonPercent: number;
  /** Sum over the trades that have pips; absent if none has. */
  pips?: number | undefined;
};

type GroupSum = {
  trades: number;
  won: number;
  profit: Money;
  volume: Volume;
  /** In tenths, so that they add up exactly. */
  pipTenths?: number | undefined;
};

export type GroupSums<Key> = Map<Key, GroupSum>;

/** 1970-01-01 was a Thursday; Sunday is 0. */
const FIRST_WEEKDAY = 4;

/** Weekday in broker time, Sunday 0 to Saturday 6. */
export const weekdayOf = (timeMs: number): number =>
  floorMod(Math.floor(timeMs / DAY_MS) + FIRST_WEEKDAY, 7);

/** Hour of the day in broker time, 0–23. */
export const hourOf = (timeMs: number): number => Math.floor(floorMod(timeMs, DAY_MS) / HOUR_MS);

const floorMod = (value: number, modulus: number): number =>
  ((value % modulus) + modulus) % modulus;

export function addToGroup<Key>(groups: GroupSums<Key>, key: Key, trade: Trade): void {
  let group = groups.get(key);
  if (!group) {
    group = { trades: 0, won: 0, profit: 0, volume: 0 };
    groups.set(key, group);
  }
  group.trades += 1;
  if (trade.success === 'won') group.won += 1;
  group.profit += trade.profit;
  group.volume += trade.volume;
  if (trade.pips !== undefined) group.pipTenths = (group.pipTenths ?? 0) + tenthsOf(trade.pips);
}

export const tenthsOf = (pips: number): number => Math.round(pips * 10);

/** In the order of their keys. */
export function groupsFrom<Key extends string | number>(sums: GroupSums<Key>): TradeGroup<Key>[] {
  return [...sums]
    .map(([key, { pipTenths, ...sum }]) => ({
      ...{ key, ...sum, wonPercent: percentOf(sum.won, sum.trades) ?? 0 },
      pips: pipTenths === undefined ? undefined : pipTenths / 10,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
