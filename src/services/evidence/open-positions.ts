import { type CaseAnnex, MAX_CASE_POSITIONS } from '../../contract/operations/cases.ts';
import { type BrokerTimeMs, formatBrokerTime } from '../../domain/broker-time.ts';
import { compareDeals } from '../../domain/deal.ts';
import { fromVolume } from '../../domain/money.ts';
import { type OpenTrade, openPositionsOf } from '../../domain/trades/open-trades.ts';
import { createTradeState, foldDeal } from '../../domain/trades/trade-state.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { listTradesUpTo } from '../../storage/deal-store.ts';

type OpenPositions = Omit<CaseAnnex['openPositions'], 'openResult'>;

/** Enough for positions of weeks, and read and folded in some milliseconds. */
const MAX_DEALS = 2000;

const BY_DEALS = 'By the deals that are known now: what no deal tells of is missing.';
const BY_NEWEST = `By the newest ${MAX_DEALS} deals up to the event: a position that was opened before them is missing.`;
/** Its orders come as deals when they are closed. */
const ONCE_CLOSED =
  'On this platform a position is known once it is closed: what is still open is missing.';
const UNKNOWN = 'No purchase or sale up to the event is known, so what was open is not known.';

/** What was open at a moment of an account. No platform was asked: the deals known now tell it. */
export async function openPositionsAt(
  sql: Sql,
  { number, platform }: Account,
  timeMs: BrokerTimeMs,
): Promise<OpenPositions> {
  const deals = await listTradesUpTo(sql, number, timeMs, MAX_DEALS);
  if (deals.length === 0) return { source: 'none', remark: UNKNOWN, count: 0, positions: [] };
  const reach = deals.length === MAX_DEALS ? BY_NEWEST : BY_DEALS;
  const state = createTradeState();
  for (const deal of deals.toSorted(compareDeals)) foldDeal(state, deal);
  const open = openPositionsOf(state);
  return {
    source: 'deals',
    remark: platform === 'p4' ? `${reach} ${ONCE_CLOSED}` : reach,
    count: open.length,
    positions: open.slice(0, MAX_CASE_POSITIONS).map(present),
  };
}

const present = (position: OpenTrade): OpenPositions['positions'][number] => {
  const { positionId, type, symbol, openPrice, incomplete } = position;
  return {
    ...{ positionId, type, volume: fromVolume(position.volume) },
    ...(symbol === undefined ? {} : { symbol }),
    openBrokerTime: formatBrokerTime(position.openTimeMs),
    ...(openPrice === undefined ? {} : { openPrice }),
    ...(incomplete ? { incomplete } : {}),
  };
};
