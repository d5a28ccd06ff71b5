import type { FastifyInstance } from 'fastify';
import {
  readMetricsOperation,
  readOpenTradesOperation,
} from '../../../contract/operations/metrics.ts';
import { presentMetrics } from '../../../services/metrics/present-metrics.ts';
import { readMetrics } from '../../../services/metrics/read-metrics.ts';
import { readOpenTrades } from '../../../services/trades/read-open-trades.ts';
import { addRoute } from '../../add-route.ts';
import { answerComputing } from '../../computing.ts';

export function registerMetricsRoutes(
  server: FastifyInstance,
  context: Parameters<typeof readMetrics>[0],
): void {
  addRoute(server, readMetricsOperation, async ({ principal, params, reply }) => {
    const answer = await readMetrics(context, principal, params.accountId);
    if (!answer.ready) return answerComputing(reply, answer.retryAfterSeconds);
    return presentMetrics(answer.metrics, answer.account.currency);
  });
  addRoute(server, readOpenTradesOperation, async ({ principal, params, reply }) => {
    const answer = await readOpenTrades(context, principal, params.accountId);
    return answer.ready ? answer.trades : answerComputing(reply, answer.retryAfterSeconds);
  });
}
