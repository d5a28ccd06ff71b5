import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { DrawdownRecord } from '../../../../src/contract/operations/drawdown.ts';
import type {
  HistoricalTrade,
  historicalTradesOperation,
} from '../../../../src/contract/operations/historical-trades.ts';
import type {
  IncidentRecord,
  listIncidentsOperation,
} from '../../../../src/contract/operations/incidents.ts';
import type { Mark } from '../../charts/marks.ts';
import type { Seconds } from '../../charts/seen-stretch.ts';
import { verdictOf } from '../../desk/verdict.ts';
import { brokerTimeMs, toBrokerTime } from '../../lib/format.ts';
import { useRead } from '../../lib/use-operation.ts';

/** More marks than these would cover each other. */
const MOST_TRADES = 200;
const MOST_INCIDENTS = 200;
const REFRESH_MS = 10_000;
const ROUNDING_SECONDS = 3600;

export type MarkItem = { mark: Mark } & (
  | { what: 'incident'; incident: IncidentRecord }
  | { what: 'transfer'; brokerTime: string; amount: number }
  | { what: 'trade'; trade: HistoricalTrade }
);

/** Events in the visible range: limits exceeded, money paid in and out, trades closed. */
export function useMarks(
  { id: accountId }: AccountRecord,
  [from, to]: Seconds,
  drawdown: DrawdownRecord | undefined,
): { marks: Mark[]; items: MarkItem[] } {
  const incidents = useRead<typeof listIncidentsOperation>(
    ['incidents', 'of-chart', accountId],
    'GET /users/current/incidents',
    { query: { accountId, state: 'all', limit: MOST_INCIDENTS } },
    { refetchInterval: REFRESH_MS },
  ).data?.incidents;
  const trades = useTradesBetween(accountId, from, to, drawdown !== undefined);
  const items = useMemo(() => {
    const all: MarkItem[] = [
      ...(incidents ?? []).map(itemOfIncident),
      ...(drawdown?.transfers ?? []).map(itemOfTransfer),
      ...(trades ?? []).map(itemOfTrade),
    ];
    return all
      .filter(({ mark }) => mark.timeSeconds >= from && mark.timeSeconds <= to)
      .sort((a, b) => b.mark.timeSeconds - a.mark.timeSeconds);
  }, [incidents, drawdown, trades, from, to]);
  const marks = useMemo(() => items.map(({ mark }) => mark), [items]);
  return { marks, items };
}

/** Trades that closed in a range, if they are few enough to be marked. */
function useTradesBetween(accountId: string, from: number, to: number, isEnabled: boolean) {
  // Whole hours, so that a chart that moves by seconds sends few requests.
  const start = Math.floor(from / ROUNDING_SECONDS) * ROUNDING_SECONDS;
  const end = Math.ceil(to / ROUNDING_SECONDS) * ROUNDING_SECONDS;
  const { data } = useRead<typeof historicalTradesOperation>(
    ['account', accountId, 'trades-of-chart', start, end],
    'GET /users/current/accounts/:accountId/historical-trades/:startTime/:endTime',
    {
      params: {
        accountId,
        startTime: toBrokerTime(start * 1000),
        endTime: toBrokerTime(end * 1000),
      },
      query: { limit: MOST_TRADES },
    },
    {
      enabled: isEnabled && end > start,
      placeholderData: keepPreviousData,
      retry: false,
      refetchInterval: REFRESH_MS * 3,
    },
  );
  const trades = data && 'trades' in data ? data.trades : undefined;
  return trades && trades.length < MOST_TRADES ? trades.filter(({ symbol }) => symbol) : undefined;
}

const secondsOf = (brokerTime: string): number => brokerTimeMs(brokerTime) / 1000;

const itemOfIncident = (incident: IncidentRecord): MarkItem => ({
  what: 'incident',
  incident,
  mark: {
    id: `incident ${incident.id}`,
    kind: verdictOf(incident),
    timeSeconds: secondsOf(incident.brokerTime),
  },
});

const itemOfTransfer = ({ brokerTime, amount }: DrawdownRecord['transfers'][number]): MarkItem => ({
  ...{ what: 'transfer', brokerTime, amount },
  mark: {
    id: `transfer ${brokerTime} ${amount}`,
    kind: amount < 0 ? 'withdrawal' : 'deposit',
    timeSeconds: secondsOf(brokerTime),
  },
});

const itemOfTrade = (trade: HistoricalTrade): MarkItem => ({
  what: 'trade',
  trade,
  mark: {
    id: `trade ${trade._id}`,
    kind: trade.profit > 0 ? 'won' : 'lost',
    timeSeconds: secondsOf(trade.closeTime),
  },
});
