import type { FastifyInstance } from 'fastify';
import { historicalTradesOperation } from '../../../contract/operations/historical-trades.ts';
import type { TradeComputer } from '../../../histories/trade-computer.ts';
import type { Context } from '../../../services/context.ts';
import type { PageCache } from '../../../services/page-cache.ts';
import {
  type HistoryUpdate,
  readHistoricalTrades,
} from '../../../services/trades/read-historical-trades.ts';
import { addRoute } from '../../add-route.ts';
import { answerComputing } from '../../computing.ts';
import { sendJsonParts } from '../../send-json-parts.ts';

export function registerHistoricalTrades(
  server: FastifyInstance,
  context: Context & { trades: TradeComputer; pages: PageCache; updateHistory: HistoryUpdate },
): void {
  addRoute(server, historicalTradesOperation, async ({ principal, params, query, reply }) => {
    const { accountId, startTime, endTime } = params;
    const { limit = 1000, offset = 0, updateHistory = false } = query;
    const result = await readHistoricalTrades(context, principal, accountId, {
      startTime,
      endTime,
      limit,
      offset,
      updateHistory,
    });
    if (!result.ready) return answerComputing(reply, result.retryAfterSeconds);
    return sendJsonParts(reply, result.body, result.release);
  });
}
