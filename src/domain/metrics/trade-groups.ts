import { DAY_MS, HOUR_MS } from '../broker-time.ts';
import type { Money, Volume } from '../money.ts';
import type { Trade } from '../trade.ts';
import { percentOf } from './ratio.ts';

/** What the trades of one group brought. */
export type TradeGroup<Key> = {
  key: Key;
  trades: number;
  won: number;
  wonPercent: number;
  profit: Money;
  volume: Volume;
  /** Sum over the trades that have pips; absent if none has. */
  pips?: number | undefined;
};

/** 1970-01-01 was a Thursday; Sunday is 0. */
const FIRST_WEEKDAY = 4;

export const bySymbol = (trades: readonly Trade[]): TradeGroup<string>[] =>
  groupsOf(trades, (trade) => trade.symbol ?? '');

/** By the weekday of closing in broker time, Sunday 0 to Saturday 6. */
export const byWeekday = (trades: readonly Trade[]): TradeGroup<number>[] =>
  groupsOf(trades, (trade) => floorMod(Math.floor(trade.closeTimeMs / DAY_MS) + FIRST_WEEKDAY, 7));

/** By the hour of opening in broker time, 0–23. */
export const byOpenHour = (trades: readonly Trade[]): TradeGroup<number>[] =>
  groupsOf(trades, (trade) => hourOf(trade.openTimeMs));

/** By the hour of closing in broker time, 0–23. */
export const byCloseHour = (trades: readonly Trade[]): TradeGroup<number>[] =>
  groupsOf(trades, (trade) => hourOf(trade.closeTimeMs));

const floorMod = (value: number, modulus: number): number =>
  ((value % modulus) + modulus) % modulus;

const hourOf = (timeMs: number): number => Math.floor(floorMod(timeMs, DAY_MS) / HOUR_MS);

function groupsOf<Key extends string | number>(
  trades: readonly Trade[],
  keyOf: (trade: Trade) => Key,
): TradeGroup<Key>[] {
  const members = Map.groupBy(trades, keyOf);
  return [...members]
    .map(([key, group]) => groupOf(key, group))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function groupOf<Key>(key: Key, trades: readonly Trade[]): TradeGroup<Key> {
  let [won, profit, volume] = [0, 0, 0];
  for (const trade of trades) {
    if (trade.success === 'won') won += 1;
    profit += trade.profit;
    volume += trade.volume;
  }
  return {
    ...{ key, trades: trades.length, won, wonPercent: percentOf(won, trades.length) ?? 0 },
    ...{ profit, volume, pips: totalPips(trades) },
  };
}

/** Exact in tenths; undefined where no trade has pips. */
export function totalPips(trades: readonly Trade[]): number | undefined {
  let tenths: number | undefined;
  for (const { pips } of trades)
    if (pips !== undefined) tenths = (tenths ?? 0) + Math.round(pips * 10);
  return tenths === undefined ? undefined : tenths / 10;
}
