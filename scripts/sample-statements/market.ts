import type { Random } from './random.ts';

export type SampleSymbol = {
  name: string;
  digits: number;
  start: number;
  /** Deviation of an hour's move. */
  hourly: number;
  /** Account money for one lot and a price move of 1, given the price. */
  lotValue: (price: number) => number;
  /** Money of a lot and night: long, short. */
  swap: readonly [number, number];
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Hours of the trading week, Monday 00:00 to Friday 23:00, from a Monday on. */
export function tradingHours(fromMs: number, untilMs: number): number[] {
  const hours: number[] = [];
  for (let at = fromMs; at < untilMs; at += HOUR_MS) {
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) hours.push(at);
  }
  return hours;
}

/** One price for each hour: a random walk that is drawn back to where it began. */
export function pricePath(symbol: SampleSymbol, count: number, random: Random): number[] {
  const path: number[] = [];
  let price = symbol.start;
  for (let index = 0; index < count; index++) {
    price += symbol.hourly * random.normal() - (price - symbol.start) * 0.0015;
    path.push(price);
  }
  return path;
}

export const nightsBetween = (fromMs: number, toMs: number): number =>
  Math.floor(toMs / DAY_MS) - Math.floor(fromMs / DAY_MS);

const usdQuoted = (lot: number) => () => lot;

export const EURUSD: SampleSymbol = {
  ...{ name: 'EURUSD', digits: 5, start: 1.1426, hourly: 0.00082 },
  lotValue: usdQuoted(100_000),
  swap: [-7.1, 2.4],
};
export const GBPUSD: SampleSymbol = {
  ...{ name: 'GBPUSD', digits: 5, start: 1.3187, hourly: 0.00098 },
  lotValue: usdQuoted(100_000),
  swap: [-3.2, -2.6],
};
export const USDCHF: SampleSymbol = {
  ...{ name: 'USDCHF', digits: 5, start: 0.8114, hourly: 0.00064 },
  lotValue: (price) => 100_000 / price,
  swap: [5.1, -11.4],
};
export const XAUUSD: SampleSymbol = {
  ...{ name: 'XAUUSD', digits: 2, start: 3384.4, hourly: 6.1 },
  lotValue: usdQuoted(100),
  swap: [-38.5, 17.2],
};
export const USDJPY: SampleSymbol = {
  ...{ name: 'USDJPY', digits: 3, start: 151.84, hourly: 0.131 },
  lotValue: usdQuoted(100_000),
  swap: [1_140, -2_480],
};
export const EURJPY: SampleSymbol = {
  ...{ name: 'EURJPY', digits: 3, start: 173.45, hourly: 0.152 },
  lotValue: usdQuoted(100_000),
  swap: [890, -2_120],
};
