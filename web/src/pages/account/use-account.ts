import { useMemo } from 'react';
import type { readStandingOperation } from '../../../../src/contract/operations/account-standing.ts';
import type { readAccountOperation } from '../../../../src/contract/operations/accounts.ts';
import type { readDrawdownOperation } from '../../../../src/contract/operations/drawdown.ts';
import type {
  EquityChartItem,
  equityChartOperation,
} from '../../../../src/contract/operations/equity-chart.ts';
import type {
  AccountMetricsRecord,
  PartMetricsRecord,
  readMetricsOperation,
} from '../../../../src/contract/operations/metrics.ts';
import type {
  listTrackersOperation,
  trackerStatisticsOperation,
} from '../../../../src/contract/operations/trackers.ts';
import type { Input } from '../../lib/api.ts';
import { brokerTimeMs, toBrokerTime } from '../../lib/format.ts';
import { unlessTold } from '../../lib/live.ts';
import { useRead } from '../../lib/use-operation.ts';

const LIVE_MS = 2_000;
const COMPUTING_MS = 1_000;
const SYNC_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const BEGINNING = '1970-01-01 00:00:00.000';

export const useAccount = (accountId: string) =>
  useRead<typeof readAccountOperation>(
    ['account', accountId],
    'GET /users/current/accounts/:accountId',
    { params: { accountId } },
    // For an account with a profile, also the state of reading it.
    { refetchInterval: ({ state }) => (state.data?.sync ? SYNC_MS : false) },
  );

export type PartQuery = Omit<
  NonNullable<Input<typeof readMetricsOperation>['query']>,
  'includeOpenPositions'
>;

/** All statistics, or those of a part; undefined while being computed, then requested again. */
function useStatisticsOf(accountId: string, query: PartQuery, enabled = true) {
  return useRead<typeof readMetricsOperation>(
    ['account', accountId, 'metrics', query],
    'GET /users/current/accounts/:accountId/metrics',
    { params: { accountId }, query },
    {
      enabled,
      refetchInterval: (state) =>
        state.state.data && 'status' in state.state.data ? COMPUTING_MS : 30_000,
    },
  );
}

export function useMetrics(accountId: string) {
  const query = useStatisticsOf(accountId, {});
  const metrics: AccountMetricsRecord | undefined =
    query.data && 'balance' in query.data ? query.data : undefined;
  return { metrics, error: query.error, retry: query.refetch };
}

/** Of a part of the trades; no request while the query names none. */
export function usePartMetrics(accountId: string, query: PartQuery) {
  const asked = useStatisticsOf(accountId, query, Object.keys(query).length > 0);
  const metrics: PartMetricsRecord | undefined =
    asked.data && 'part' in asked.data ? asked.data : undefined;
  return { metrics, error: asked.error, retry: asked.refetch };
}

const CHART = 'GET /users/current/accounts/:accountId/equity-chart' as const;

/** Hours of equity and balance, the last 30 days or all, with the running hour live. */
export const useEquity = (accountId: string, isAll: boolean) =>
  useChartItems(accountId, isAll ? { startTime: BEGINNING } : {}, HOUR_MS);

/** Minutes of the last 48 hours, with the running one live. */
export const useMinutes = (accountId: string, isEnabled: boolean) =>
  useChartItems(accountId, { resolution: 'minute' }, MINUTE_MS, isEnabled);

function useChartItems(
  accountId: string,
  query: NonNullable<Input<typeof equityChartOperation>['query']>,
  lengthMs: number,
  isEnabled = true,
) {
  const stored = useRead<typeof equityChartOperation>(
    ['account', accountId, 'equity', query],
    CHART,
    { params: { accountId }, query },
    { enabled: isEnabled, refetchInterval: 10 * 60_000 },
  );
  const last = stored.data?.at(-1)?.startBrokerTime;
  const newest = last ? { startTime: toBrokerTime(brokerTimeMs(last) + lengthMs) } : {};
  const { resolution } = query;
  const live = useRead<typeof equityChartOperation>(
    ['account', accountId, 'equity-live', resolution, last],
    CHART,
    {
      params: { accountId },
      query: { realTime: true, ...(resolution ? { resolution } : {}), ...newest },
    },
    { enabled: isEnabled && stored.isSuccess, refetchInterval: unlessTold(LIVE_MS) },
  );
  const items = useMemo(
    () => mergeItems(stored.data ?? [], live.data ?? []),
    [stored.data, live.data],
  );
  return { items, isPending: stored.isPending, error: stored.error, retry: stored.refetch };
}

/** Drawdown with transfers taken out, and deposits and withdrawals: of the last 30 days or all. */
export const useDrawdown = (accountId: string, isAll: boolean) =>
  useRead<typeof readDrawdownOperation>(
    ['account', accountId, 'drawdown', isAll],
    'GET /users/current/accounts/:accountId/equity-drawdown',
    { params: { accountId }, query: isAll ? { startTime: BEGINNING } : {} },
    { refetchInterval: 30_000 },
  );

/** The account's present state; the query's dataUpdatedAt is the time of the answer. */
export const useStanding = (accountId: string) =>
  useRead<typeof readStandingOperation>(
    ['account', accountId, 'standing'],
    'GET /users/current/accounts/:accountId/standing',
    { params: { accountId } },
    { refetchInterval: unlessTold(LIVE_MS) },
  );

/** Live items replace stored ones that begin at the same time. */
function mergeItems(
  stored: readonly EquityChartItem[],
  live: readonly EquityChartItem[],
): readonly EquityChartItem[] {
  const [first] = live;
  if (!first) return stored;
  return [
    ...stored.filter(({ startBrokerTime }) => startBrokerTime < first.startBrokerTime),
    ...live,
  ];
}

export const useTrackers = (accountId: string) =>
  useRead<typeof listTrackersOperation>(
    ['account', accountId, 'trackers'],
    'GET /users/current/accounts/:accountId/trackers',
    { params: { accountId } },
  );

export const useStatistics = (accountId: string, id: string, limit: number) =>
  useRead<typeof trackerStatisticsOperation>(
    ['account', accountId, 'tracker', id, limit],
    'GET /users/current/accounts/:accountId/trackers/:id/statistics',
    { params: { accountId, id }, query: { limit, realTime: true } },
    { refetchInterval: LIVE_MS * 15 },
  );
