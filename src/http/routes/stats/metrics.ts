import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  readMetricsOperation,
  readMetricsTableOperation,
  readOpenTradesOperation,
} from '../../../contract/operations/metrics.ts';
import { searchTradesOperation } from '../../../contract/operations/trade-search.ts';
import { MAX_PAGE } from '../../../contract/primitives.ts';
import { isCut } from '../../../services/metrics/metrics-part.ts';
import { type MetricsAnswer, readMetrics } from '../../../services/metrics/read-metrics.ts';
import { readMetricsTable, readTableKeys } from '../../../services/metrics/read-metrics-table.ts';
import { readPartMetrics } from '../../../services/metrics/read-part-metrics.ts';
import { readOpenTrades } from '../../../services/trades/read-open-trades.ts';
import { searchTrades } from '../../../services/trades/search-trades.ts';
import { addRoute } from '../../add-route.ts';
import { answerComputing } from '../../computing.ts';
import { sendJsonParts } from '../../send-json-parts.ts';
import { sendPage } from '../../send-page.ts';

const COMPUTATION_SHARES = { process: 64, user: 16, token: 16 };
const RETRY_AFTER_SECONDS = 1;

export function registerMetricsRoutes(
  server: FastifyInstance,
  context: Parameters<typeof readMetrics>[0],
): void {
  const places = server.places.create(
    'statistics',
    'statistics at a time',
    COMPUTATION_SHARES,
    RETRY_AFTER_SECONDS,
  );
  addRoute(
    server,
    readMetricsOperation,
    async ({ principal, params, query, reply }) => {
      const { includeOpenPositions = false, includeExcursions, ...part } = query;
      const options = { includeOpenPositions, includeExcursions };
      return send(
        reply,
        isCut(part)
          ? await readPartMetrics(context, principal, params.accountId, part, options)
          : await readMetrics(context, principal, params.accountId, options),
      );
    },
    { places },
  );
  addRoute(
    server,
    readMetricsTableOperation,
    async ({ principal, params, query, reply }) => {
      const by = readTableKeys(query.by);
      const table = { ...query, by };
      return send(reply, await readMetricsTable(context, principal, params.accountId, table));
    },
    { places },
  );
  addRoute(server, readOpenTradesOperation, async ({ principal, params, query, ...call }) => {
    const { limit = MAX_PAGE, offset = 0 } = query;
    const answer = await readOpenTrades(context, principal, params.accountId, { limit, offset });
    if (!answer.ready) return answerComputing(call.reply, answer.retryAfterSeconds);
    return sendPage(call, answer.page, (trade) => trade);
  });
  addRoute(server, searchTradesOperation, async ({ principal, params, query, reply }) => {
    const { limit = 50, ...search } = query;
    const answer = await searchTrades(context, principal, params.accountId, { ...search, limit });
    if (!answer.ready) return answerComputing(reply, answer.retryAfterSeconds);
    const { total, trades, next } = answer;
    return { total, trades, ...(next === undefined ? {} : { next }) };
  });
}

const send = (reply: FastifyReply, answer: MetricsAnswer) =>
  answer.ready
    ? sendJsonParts(reply, answer.body)
    : answerComputing(reply, answer.retryAfterSeconds);
