import type { HistoricalTrade } from '../../contract/operations/historical-trades.ts';
import type { FoundTrade } from '../../contract/operations/trade-search.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import type { NotReady, TradeComputer } from '../../histories/trade-computer.ts';
import type { Sql } from '../../storage/database.ts';
import { readHistory } from '../../storage/history-store.ts';
import { readChunks, TRADES_PER_CHUNK, type TradeChunk } from '../../storage/trade-store.ts';
import type { TradeSide } from '../../words/accounts.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { withExcursions } from './read-excursions.ts';
import { requireStatistics } from './read-historical-trades.ts';

/** Chunks searched by one request: ten thousand trades. */
const MAX_CHUNKS = 40;

export type TradeSearch = {
  startTime?: string | undefined;
  endTime?: string | undefined;
  symbol?: string | undefined;
  kind?: TradeSide | undefined;
  text?: string | undefined;
  includeExcursions?: boolean | undefined;
  /** Place in the history, exclusive; by default its end. */
  before?: number | undefined;
  limit: number;
};

export type FoundTrades =
  | { ready: true; total: number; trades: FoundTrade[]; next: number | undefined }
  | NotReady;

/** Matching trades, newest first, from a place in the history backwards. */
export async function searchTrades(
  context: Context & { trades: TradeComputer },
  principal: Principal,
  accountId: string,
  search: TradeSearch,
): Promise<FoundTrades> {
  const account = await accessAccount(context, principal, accountId);
  requireStatistics(account);
  const range = rangeOf(search);
  const { database } = context;
  const found = await context.trades.readWhole(account, () =>
    lookThrough(database, account.number, search, range),
  );
  if (!found.ready) return found;
  const { total, trades, next } = found.value;
  if (!search.includeExcursions) return { ready: true, total, trades, next };
  return { ready: true, total, trades: await withExcursions(database, account, trades), next };
}

async function lookThrough(sql: Sql, accountNumber: number, search: TradeSearch, range: Range) {
  const { tradeCount: total } = await readHistory(sql, accountNumber);
  const fits = matcherOf(search);
  const trades: HistoricalTrade[] = [];
  let place = Math.min(search.before ?? total, total);
  for (let looked = 0; place > 0 && looked < MAX_CHUNKS; looked += 1) {
    const number = Math.floor((place - 1) / TRADES_PER_CHUNK);
    const [chunk] = await readChunks(sql, accountNumber, number, 1);
    if (!chunk) break;
    const start = number * TRADES_PER_CHUNK;
    const found = inChunk(chunk, place - start, range, fits, search.limit - trades.length);
    trades.push(...found.trades);
    place = start + found.place;
    if (found.isBefore) place = 0;
    if (trades.length >= search.limit) break;
    await nextTurn();
  }
  return { total, trades, next: place > 0 ? place : undefined };
}

type Range = { startMs: number; endMs: number };

function rangeOf({ startTime, endTime }: TradeSearch): Range {
  const times = readBrokerTimes({
    startTime: startTime ?? '0000-01-01 00:00:00',
    endTime: endTime ?? '9999-12-31 23:59:59.999',
  });
  return { startMs: times.startTime, endMs: times.endTime };
}

/** Matching trades of a chunk before a place in it, newest first, and the search's next place. */
function inChunk(
  chunk: TradeChunk,
  before: number,
  { startMs, endMs }: Range,
  fits: (trade: HistoricalTrade) => boolean,
  limit: number,
): { trades: HistoricalTrade[]; place: number; isBefore: boolean } {
  const trades: HistoricalTrade[] = [];
  let place = Math.min(before, chunk.count);
  while (place > 0 && trades.length < limit) {
    const closeTimeMs = chunk.closeTimeMs(place - 1);
    if (closeTimeMs < startMs) return { trades, place, isBefore: true };
    place -= 1;
    if (closeTimeMs >= endMs) continue;
    const trade = JSON.parse(chunk.slice(place, place + 1).toString()) as HistoricalTrade;
    if (fits(trade)) trades.push(trade);
  }
  return { trades, place, isBefore: false };
}

function matcherOf({ symbol = '', kind, text = '' }: TradeSearch) {
  const [start, words] = [symbol.trim().toLowerCase(), text.trim().toLowerCase()];
  return (trade: HistoricalTrade): boolean => {
    if (kind && kindOf(trade) !== kind) return false;
    if (start && !(trade.symbol ?? '').toLowerCase().startsWith(start)) return false;
    return !words || `${trade.comment ?? ''} ${trade.positionId}`.toLowerCase().includes(words);
  };
}

function kindOf({ type }: HistoricalTrade): TradeSide {
  if (type === 'DEAL_TYPE_BUY') return 'buy';
  return type === 'DEAL_TYPE_SELL' ? 'sell' : 'other';
}
