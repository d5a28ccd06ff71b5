import type { FastifyInstance } from 'fastify';
import { readDrawdownOperation } from '../../../contract/operations/drawdown.ts';
import { equityChartOperation } from '../../../contract/operations/equity-chart.ts';
import { readCombinedCurveOperation } from '../../../contract/operations/equity-curve.ts';
import { readLimitStepsOperation } from '../../../contract/operations/limit-steps.ts';
import { readCombinedCurve } from '../../../services/equity-chart/read-combined-curve.ts';
import { readDrawdown } from '../../../services/equity-chart/read-drawdown.ts';
import { readEquityChart } from '../../../services/equity-chart/read-equity-chart.ts';
import { readMinuteChart } from '../../../services/equity-chart/read-minute-chart.ts';
import { readLimitSteps } from '../../../services/trackers/read-limit-steps.ts';
import { addRoute } from '../../add-route.ts';
import { sendJsonParts } from '../../send-json-parts.ts';

export function registerEquityChart(
  server: FastifyInstance,
  context: Parameters<typeof readEquityChart>[0],
): void {
  addRoute(server, equityChartOperation, async ({ principal, params, query, reply }) => {
    const { startTime, endTime, realTime = false, resolution = 'hour' } = query;
    const range = { startTime, endTime, realTime };
    const read = resolution === 'hour' ? readEquityChart : readMinuteChart;
    return sendJsonParts(reply, await read(context, principal, params.accountId, range));
  });
  addRoute(server, readCombinedCurveOperation, ({ principal, query }) =>
    readCombinedCurve(context, principal, query),
  );
  addRoute(server, readDrawdownOperation, async ({ principal, params, query, reply }) =>
    sendJsonParts(reply, await readDrawdown(context, principal, params.accountId, query)),
  );
  addRoute(server, readLimitStepsOperation, ({ principal, params, query }) =>
    readLimitSteps(context, principal, params.accountId, query),
  );
}
