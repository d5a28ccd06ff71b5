import type { Trade } from '../../src/domain/trade.ts';
import { presentTrade } from '../../src/histories/present-trade.ts';
import type { Database } from '../../src/storage/database.ts';
import { noteDealsChanged, saveFold } from '../../src/storage/history-store.ts';
import { replaceChunks, TRADES_PER_CHUNK, TradeChunk } from '../../src/storage/trade-store.ts';
import type { BenchAccount } from './user.ts';

const FIRST_MS = Date.UTC(2020, 0, 6);
const STEP_MS = 37 * 60_000;
const OPEN_FOR_MS = 95 * 60_000;
const TRADES_PER_COMMIT = 100 * TRADES_PER_CHUNK;

export const closeTimeMsOf = (index: number): number => FIRST_MS + index * STEP_MS + OPEN_FOR_MS;

/** A trade whose wire JSON has the usual 350 bytes. */
export function tradeOf(index: number): Trade {
  const openTimeMs = FIRST_MS + index * STEP_MS;
  const profit = ((index * 7919) % 20_001) - 9800;
  return {
    ...{ id: `${5_000_000_000 + index}`, positionId: `${5_000_000_000 + index}` },
    ...{ type: index % 2 === 0 ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL', symbol: 'EURUSD' },
    ...{ volume: 10_000_000, openTimeMs, closeTimeMs: closeTimeMsOf(index) },
    closeBalance: 1_000_000_000,
    ...{ openPrice: 1.08412, closePrice: 1.08523, pips: 11.1, profit, swap: -12 },
    ...{ commission: -70, fee: 0, gain: profit / 1000, success: profit > 0 ? 'won' : 'lost' },
    ...{ durationInMinutes: 95, comment: 'breakout of the range [tp]' },
  };
}

/** Stores the same closed trades for each of the accounts, as the computation of trades does. */
export async function storeTrades(
  database: Database,
  accounts: readonly BenchAccount[],
  tradesEach: number,
): Promise<void> {
  for (const { id, number } of accounts) {
    await database.transaction((tx) => noteDealsChanged(tx, number, false));
    for (let start = 0; start < tradesEach; start += TRADES_PER_COMMIT) {
      const chunks = chunksOf(id, start, Math.min(tradesEach, start + TRADES_PER_COMMIT));
      await database.transaction((tx) => replaceChunks(tx, number, chunks));
    }
    await database.transaction((tx) =>
      saveFold(tx, number, {
        ...{
          tradeVersion: 1,
          last: undefined,
          tradeCount: tradesEach,
          unstagedDeals: 0,
          foldState: '',
          metricsState: '',
        },
      }),
    );
  }
}

function chunksOf(id: string, from: number, to: number): TradeChunk[] {
  const chunks: TradeChunk[] = [];
  for (let start = from; start < to; start += TRADES_PER_CHUNK) {
    const count = Math.min(TRADES_PER_CHUNK, to - start);
    const items = Array.from({ length: count }, (_, index) =>
      presentTrade(id, tradeOf(start + index), 4),
    );
    chunks.push(TradeChunk.of(start / TRADES_PER_CHUNK, items));
  }
  return chunks;
}
