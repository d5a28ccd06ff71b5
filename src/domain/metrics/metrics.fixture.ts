import { compareDeals, type Deal } from '../deal.ts';
import { createTradeState, foldTradeDeal } from '../trades/trade-state.ts';
import { metricsOf } from './account-metrics.ts';
import type { GrowthDay } from './growth-day.ts';
import { createMetricsState, foldMetrics, type MetricsState } from './metrics-state.ts';
import { decodeMetricsState, encodeMetricsState } from './metrics-state-codec.ts';

/** Folds deals in order; before those at `cuts`, the state is written and read again. */
export function foldAll(
  deals: readonly Deal[],
  cuts: ReadonlySet<number> = new Set(),
): { state: MetricsState; days: GrowthDay[] } {
  const trades = createTradeState();
  let state = createMetricsState();
  const days = new Map<number, GrowthDay>();
  for (const [index, deal] of deals.toSorted(compareDeals).entries()) {
    if (cuts.has(index)) state = decodeMetricsState(encodeMetricsState(state));
    const day = foldMetrics(state, deal, foldTradeDeal(trades, deal));
    if (day) days.set(day.day, day);
  }
  return { state, days: [...days.values()] };
}

export const metricsOfDeals = (deals: readonly Deal[], nowMs = 0) =>
  metricsOf({ ...foldAll(deals), nowMs });
