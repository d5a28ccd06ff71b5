import type { CountedTrade } from '../../src/domain/metrics/counted-trade.ts';

/** A trade as statistics count it, without anything that is optional. */
export const countedTrade = (
  told: Pick<CountedTrade, 'id' | 'closeTimeMs'> & Partial<CountedTrade>,
): CountedTrade => ({
  ...{ type: 'DEAL_TYPE_BUY', volume: 1, openTimeMs: told.closeTimeMs, closeBalance: 0 },
  ...{ profit: 0, swap: 0, commission: 0, fee: 0 },
  ...told,
});
