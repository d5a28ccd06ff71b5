import type { OrderType } from '../../words/accounts.ts';
import { fromVolume, toVolume } from '../money.ts';
import type { MarginSymbol, MarketData } from './market.ts';
import { isOrderType } from './order-type.ts';

/** An order as the client asks for it: volume in lots. */
export type MarginOrder = { symbol: string; type: string; volume: number; openPrice: number };

export type MarginFault = { parameter: string; message: string };

/** An order that its symbol's settings allow, its volume without the noise of doubles. */
export type CheckedOrder = {
  symbol: MarginSymbol;
  type: OrderType;
  volume: number;
  openPrice: number;
};

/** Doubles that were added up, like 0.1 + 0.2, are off by far less; no volume step is this fine. */
const NOISE = 1e-12;

/** Checks an order by the rules of trade servers, and returns every fault at once. */
export function checkOrder(
  order: MarginOrder,
  market: MarketData,
): { order: CheckedOrder } | { faults: MarginFault[] } {
  const faults: MarginFault[] = [];
  const refuse = (parameter: string, message: string) => faults.push({ parameter, message });
  const symbol = market.symbol(order.symbol);
  if (!symbol) refuse('symbol', 'is not a symbol of the account');
  if (!isOrderType(order.type)) refuse('type', 'is not an order type');
  const message = volumeFault(order.volume, symbol);
  if (message) refuse('volume', message);
  if (!Number.isFinite(order.openPrice) || order.openPrice <= 0)
    refuse('openPrice', 'must be a number above 0');
  if (!symbol || !isOrderType(order.type) || faults.length > 0) return { faults };
  const volume = fromVolume(toVolume(order.volume));
  return { order: { symbol, type: order.type, volume, openPrice: order.openPrice } };
}

/** Limits are compared in whole units of 1e-8 lot. Steps count from 0. */
function volumeFault(lots: number, symbol: MarginSymbol | undefined): string | undefined {
  if (!Number.isFinite(lots) || lots <= 0) return 'must be a number above 0';
  const limit = fromVolume(Number.MAX_SAFE_INTEGER);
  const volumeMax = Math.min(symbol?.volumeMax || limit, limit);
  if (lots > volumeMax * (1 + NOISE)) return `must be at most ${volumeMax}`;
  const volume = toVolume(Math.min(lots, volumeMax));
  const volumeMin = symbol?.volumeMin ?? 0;
  if (volume < toVolume(volumeMin)) return `must be at least ${volumeMin}`;
  const isFiner = Math.abs(lots - fromVolume(volume)) > lots * NOISE;
  const step = toVolume(symbol?.volumeStep ?? 0) || 1;
  if (isFiner || volume % step !== 0) return `must be a multiple of ${fromVolume(step)}`;
  return undefined;
}
