import type { FastifyInstance } from 'fastify';
import { equityChartOperation } from '../../../contract/operations/equity-chart.ts';
import { requireApiVersion } from '../../../services/api-version.ts';
import type { Context } from '../../../services/context.ts';
import { readEquityChart } from '../../../services/equity-chart/read-equity-chart.ts';
import type { LiveParts } from '../../../services/equity-chart/read-live-account.ts';
import { addRoute } from '../../add-route.ts';

export function registerEquityChart(server: FastifyInstance, context: Context & LiveParts): void {
  addRoute(server, equityChartOperation, ({ principal, params, query, headers }) => {
    requireApiVersion(headers);
    const { startTime, endTime, realTime = false } = query;
    return readEquityChart(context, principal, params.accountId, { startTime, endTime, realTime });
  });
}
