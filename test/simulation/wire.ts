import { parseBrokerTime } from '../../src/domain/broker-time.ts';
import type { DealTrade } from '../../src/domain/deal.ts';
import type { LiveDeal } from '../../src/domain/live/live-records.ts';
import { fromUnits, toUnits, toVolume } from '../../src/domain/money.ts';
import type { DealType } from '../../src/words/deals.ts';

/** Money digits of the simulated accounts, all of them in USD. */
export const SIMULATION_DIGITS = 4;

/** A deal as `POST …/deals` takes it. */
export type WireDeal = {
  id: string;
  type: DealType;
  profit: number;
  brokerTime: string;
  positionId?: string;
  entry?: 'DEAL_ENTRY_IN' | 'DEAL_ENTRY_OUT';
  symbol?: string;
  volume?: number;
  price?: number;
  commission?: number;
};

/** A snapshot as `POST /users/current/snapshots` takes it. */
export type WireSnapshot = {
  accountId: string;
  brokerTime: string;
  balance: number;
  equity: number;
  deals?: WireDeal[];
};

/** The content of one request: snapshots of many accounts, or deals of one. */
export type FeedBatch =
  | { kind: 'snapshots'; receivedUtcMs: number; snapshots: WireSnapshot[] }
  | { kind: 'deals'; receivedUtcMs: number; accountId: string; deals: WireDeal[] };

export const moneyOfWire = (value: number): number => toUnits(value, SIMULATION_DIGITS);
export const moneyToWire = (money: number): number => fromUnits(money, SIMULATION_DIGITS);

export function timeOfWire(brokerTime: string): number {
  const timeMs = parseBrokerTime(brokerTime);
  if (timeMs === undefined) throw new RangeError(`${brokerTime} is not a broker time`);
  return timeMs;
}

export const liveDealOfWire = (deal: WireDeal): LiveDeal => ({
  id: deal.id,
  type: deal.type,
  timeMs: timeOfWire(deal.brokerTime),
  money: moneyOfWire(deal.profit) + moneyOfWire(deal.commission ?? 0),
  ...(deal.entry === 'DEAL_ENTRY_OUT' ? { closes: true } : {}),
  ...(deal.volume === undefined ? {} : { trade: tradeOfWire(deal, deal.volume) }),
});

/** In the order in which it is stored. */
const tradeOfWire = (
  { positionId, entry, symbol, ...own }: WireDeal,
  volume: number,
): DealTrade => ({
  ...{ positionId, entry, symbol, volume: toVolume(volume) },
  ...(own.profit < 0 ? { loss: -moneyOfWire(own.profit) } : {}),
});
