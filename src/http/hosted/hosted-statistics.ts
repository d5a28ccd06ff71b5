import type { Fields } from '../../contract/hosted-names.ts';
import { THRESHOLD_TYPES } from '../../words/trackers.ts';
import {
  accountPath,
  type HostedAnswer,
  type HostedCall,
  type HostedRow,
  withBody,
} from './hosted-row.ts';

const ACCOUNT = '/users/current/accounts/:accountId';
const EVENTS = '/users/current/tracker-events';

async function readMetrics(call: HostedCall): Promise<HostedAnswer> {
  const { query } = call;
  const path = accountPath(call, '/metrics');
  return withBody(await call.ask({ method: 'GET', path, query }), hostedMetrics);
}

const hostedMetrics = ({ maxDrawdown, ...metrics }: Fields): { metrics: Fields } => {
  const { maximalPercent } = (maxDrawdown ?? {}) as { maximalPercent?: number };
  return {
    metrics: {
      ...metrics,
      ...(maximalPercent === undefined ? {} : { maxDrawdown: maximalPercent }),
    },
  };
};

type OpenTrade = { realisedProfit: number };

async function readOpenTrades(call: HostedCall): Promise<HostedAnswer> {
  const { query } = call;
  const path = accountPath(call, '/open-trades');
  const answer = await call.ask({ method: 'GET', path, query });
  return withBody(answer, (trades: OpenTrade[]) => ({
    openTrades: trades.map((trade) => ({ ...trade, profit: trade.realisedProfit })),
  }));
}

/** Positions as the deals tell them. */
async function readPositions(call: HostedCall): Promise<HostedAnswer> {
  const answer = await call.ask({ method: 'GET', path: accountPath(call, '/open-trades') });
  return withBody(answer, (trades: Fields[]) =>
    trades.map(({ positionId, type, symbol, volume, openTime, openPrice, swap, commission }) => ({
      ...{ id: positionId, type: String(type).replace('DEAL_', 'POSITION_'), symbol, volume },
      ...{ time: openTime, brokerTime: openTime, openPrice, swap, commission },
    })),
  );
}

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
    what: 'answers `{metrics}`, and `maxDrawdown` as a number of percent',
    answer: readMetrics,
  },
  {
    method: 'GET',
    path: `${ACCOUNT}/open-trades`,
    what: 'answers `{openTrades}`. `profit` is what partial closes brought: prices of now are not known, and so neither are `gain`, `pips` and `success`',
    answer: readOpenTrades,
  },
  {
    method: 'GET',
    path: `${ACCOUNT}/positions`,
    what: 'from the deals, without prices of now',
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
