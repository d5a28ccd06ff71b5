import type { FastifyInstance } from 'fastify';
import { equityChartOperation } from '../../../contract/operations/equity-chart.ts';
import { readEquityChart } from '../../../services/equity-chart/read-equity-chart.ts';
import { addRoute } from '../../add-route.ts';
import { sendJsonParts } from '../../send-json-parts.ts';

export function registerEquityChart(
  server: FastifyInstance,
  context: Parameters<typeof readEquityChart>[0],
): void {
  addRoute(server, equityChartOperation, async ({ principal, params, query, reply }) => {
    const { startTime, endTime, realTime = false } = query;
    const range = { startTime, endTime, realTime };
    const { accountId } = params;
    return sendJsonParts(reply, await readEquityChart(context, principal, accountId, range));
  });
}
