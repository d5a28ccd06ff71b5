import type { Fields } from '../../contract/hosted-names.ts';
import { THRESHOLD_TYPES } from '../../words/trackers.ts';
import { readHostedMetrics } from './hosted-metrics.ts';
import { readPlatform } from './hosted-platform.ts';
import {
  accountPath,
  type HostedAnswer,
  type HostedCall,
  type HostedRow,
  withBody,
} from './hosted-row.ts';

const ACCOUNT = '/users/current/accounts/:accountId';
const EVENTS = '/users/current/tracker-events';

type OpenTrade = { positionId: string; realisedProfit: number } & Fields;
type Position = { positionId: string; currentPrice: number; profit: number; swap: number };

/**
 * The open positions, each with what the platform tells of it now, if it does. It is asked last:
 * what it does not have any more is closed.
 */
async function readOpen(call: HostedCall, change: (trade: OpenTrade, now?: Position) => Fields) {
  const { query } = call;
  const path = accountPath(call, '/open-trades');
  const answer = await call.ask({ method: 'GET', path, query });
  const known = await readPlatform<Position[]>(call, 'positions');
  const byId = new Map(known?.map((position) => [position.positionId, position]));
  return withBody(answer, (trades: OpenTrade[]) =>
    trades
      .filter(({ positionId }) => !known || byId.has(positionId))
      .map((trade) => change(trade, byId.get(trade.positionId))),
  );
}

/** The gain is in percent of the balance now. */
async function readOpenTrades(call: HostedCall): Promise<HostedAnswer> {
  const { body } = await call.ask({ method: 'GET', path: accountPath(call, '/standing') });
  const { balance = 0 } = (body ?? {}) as { balance?: number };
  const answer = await readOpen(call, (trade, now) => {
    const profit = trade.realisedProfit + (now?.profit ?? 0);
    if (!now) return { ...trade, profit };
    const success = profit > 0 ? 'won' : 'lost';
    const gain = balance > 0 ? { gain: (100 * profit) / balance } : {};
    return { ...trade, profit, success, ...gain };
  });
  return withBody(answer, (openTrades: Fields[]) => ({ openTrades }));
}

const readPositions = (call: HostedCall): Promise<HostedAnswer> =>
  readOpen({ ...call, query: 'limit=1000' }, (trade, now) => ({
    ...{ id: trade.positionId, type: String(trade.type).replace('DEAL_', 'POSITION_') },
    ...{ symbol: trade.symbol, volume: trade.volume, openPrice: trade.openPrice },
    ...{ time: trade.openTime, brokerTime: trade.openTime, commission: trade.commission },
    ...{ swap: now?.swap ?? trade.swap, profit: now?.profit, currentPrice: now?.currentPrice },
  }));

type Told = { sequenceNumber: number; kind?: string };

/** The hosted product knows events of periods only. A page of others is skipped over. */
async function streamEvents(call: HostedCall): Promise<HostedAnswer> {
  const asked = new URLSearchParams(call.query);
  for (;;) {
    const path = `${EVENTS}/stream`;
    const answer = await call.ask({ method: 'GET', path, query: asked.toString() });
    const told = answer.status === 200 ? (answer.body as Told[]) : [];
    const known = told.filter(isOfPeriod);
    const last = told.at(-1);
    if (known.length > 0 || !last) return withBody(answer, () => known);
    asked.set('previousSequenceNumber', String(last.sequenceNumber));
  }
}

const isOfPeriod = ({ kind }: Told): boolean =>
  kind === undefined || (THRESHOLD_TYPES as readonly string[]).includes(kind);

export const STATISTICS_ROWS: readonly HostedRow[] = [
  {
    method: 'GET',
    path: `${ACCOUNT}/metrics`,
    what: 'answers `{metrics}`, and `maxDrawdown` as a number of percent; with `currencySummary`, the `currencies` of months and `tradeDurationDiagram`, each without lists of single trades',
    answer: readHostedMetrics,
  },
  {
    method: 'GET',
    path: `${ACCOUNT}/open-trades`,
    what: 'answers `{openTrades}`, with `profit`, `gain` and `success` of now for accounts with a provisioning profile; of others `profit` is what partial closes brought',
    answer: readOpenTrades,
  },
  {
    method: 'GET',
    path: `${ACCOUNT}/positions`,
    what: 'from the deals, with profit and price of now for accounts with a provisioning profile',
    answer: readPositions,
  },
  {
    method: 'GET',
    path: `${EVENTS}/stream`,
    what: 'has exceeded limits only: warnings, silences, enrolments and revisions are left out',
    answer: streamEvents,
  },
  {
    method: 'GET',
    path: `${EVENTS}/by-broker-time`,
    what: 'has exceeded limits only',
    answer: async (call) => {
      const { query } = call;
      const answer = await call.ask({ method: 'GET', path: `${EVENTS}/by-broker-time`, query });
      return withBody(answer, (told: Told[]) => told.filter(isOfPeriod));
    },
  },
];
