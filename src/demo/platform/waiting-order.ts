import { MINUTE_MS } from '../../domain/broker-time.ts';
import type { Volume } from '../../domain/money.ts';
import type { Instrument } from './instrument.ts';
import type { Quotes } from './quotes.ts';

/** A pending order. */
export type WaitingOrder = {
  ticket: number;
  instrument: Instrument;
  side: 1 | -1;
  volume: Volume;
  price: number;
  waitsFor: 'limit' | 'stop';
  placedUtcMs: number;
};

/**
 * Checks once a minute, counted from the placing, whether the market has reached the order: bids
 * for sellers, asks for buyers. A limit fills at its own price, a stop at the price found.
 */
export function findTrigger(
  quotes: Quotes,
  order: WaitingOrder,
  fromUtcMs: number,
  toUtcMs: number,
): { utcMs: number; price: number } | undefined {
  const { instrument, placedUtcMs, side, price: wanted } = order;
  // A limit waits below the market to buy, a stop above it.
  const direction = order.waitsFor === 'limit' ? -side : side;
  const minutes = Math.floor((fromUtcMs - placedUtcMs) / MINUTE_MS) + 1;
  let utcMs = placedUtcMs + Math.max(1, minutes) * MINUTE_MS;
  for (; utcMs <= toUtcMs; utcMs += MINUTE_MS) {
    const quote = quotes.quote(instrument, utcMs);
    const price = side === 1 ? quote.ask : quote.bid;
    if ((price - wanted) * direction >= 0)
      return { utcMs, price: order.waitsFor === 'limit' ? wanted : price };
  }
  return undefined;
}
