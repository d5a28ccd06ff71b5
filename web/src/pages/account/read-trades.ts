import type {
  HistoricalTrade,
  historicalTradesOperation,
} from '../../../../src/contract/operations/historical-trades.ts';
import { ApiError, call } from '../../lib/api.ts';

export type TradeRange = { startTime: string; endTime: string };

const PER_REQUEST = 1000;
const MAX_REQUESTS = 200;
const MAX_COMPUTING_WAITS = 20;
const COMPUTING_MS = 1_000;

/** All trades of a range, newest first; waits while they are being computed. */
export async function readTrades(
  accountId: string,
  range: TradeRange,
  signal?: AbortSignal,
): Promise<HistoricalTrade[]> {
  const trades: HistoricalTrade[] = [];
  let waits = 0;
  while (trades.length < PER_REQUEST * MAX_REQUESTS) {
    const answer = await call<typeof historicalTradesOperation>(
      'GET /users/current/accounts/:accountId/historical-trades/:startTime/:endTime',
      { params: { accountId, ...range }, query: { limit: PER_REQUEST, offset: trades.length } },
      signal,
    );
    if (!('trades' in answer)) {
      waits += 1;
      if (waits > MAX_COMPUTING_WAITS) throw new ApiError(0, 'The trades are still being computed');
      await new Promise((resolve) => setTimeout(resolve, COMPUTING_MS));
      continue;
    }
    trades.push(...answer.trades);
    if (answer.trades.length < PER_REQUEST) break;
  }
  return trades.reverse();
}
