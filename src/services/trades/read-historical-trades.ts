import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import {
  readChunks,
  readChunksFrom,
  TRADES_PER_CHUNK,
  type TradeChunk,
} from '../../storage/trade-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { forbidden, invalidParameter } from '../errors.ts';
import { currentHistory } from './current-history.ts';
import type { PageCache } from './page-cache.ts';
import type { TradeComputer } from './trade-computer.ts';

/** Fetches new deals of an account from its platform; false while that goes on. */
export type HistoryUpdate = (account: Account) => Promise<boolean>;

export type TradeQuery = {
  /** Broker times as text, start inclusive, end exclusive. */
  startTime: string;
  endTime: string;
  limit: number;
  offset: number;
  updateHistory: boolean;
};

type TradeRange = { startMs: BrokerTimeMs; endMs: BrokerTimeMs; limit: number; offset: number };

export type HistoricalTrades =
  /** `{"trades": […]}` as bytes, ready for the wire. */
  { ready: true; body: Buffer } | { ready: false; retryAfterSeconds: number };

/**
 * Trades with startTime ≤ close time < endTime, in order of close time, then id. Not ready while trades
 * are being computed. Throws `forbidden` with statistics switched off, `notFound`, `validation`.
 */
export async function readHistoricalTrades(
  context: Context & { trades: TradeComputer; pages: PageCache; updateHistory: HistoryUpdate },
  principal: Principal,
  accountId: string,
  { startTime, endTime, limit, offset, updateHistory }: TradeQuery,
): Promise<HistoricalTrades> {
  const { startTime: startMs, endTime: endMs } = readBrokerTimes({ startTime, endTime });
  if (startMs > endMs) throw invalidParameter('startTime', 'must not be after endTime');
  const account = await accessAccount(context, principal, accountId);
  requireStatistics(account);
  if (updateHistory && !(await context.updateHistory(account))) {
    return { ready: false, retryAfterSeconds: 1 };
  }
  const current = await currentHistory(context.trades, accountId);
  if (!current.ready) return current;
  const range: TradeRange = { startMs, endMs, limit, offset };
  const key = [accountId, account.createdAtMs, current.tradeVersion, ...Object.values(range)].join(
    '|',
  );
  const known = context.pages.get(key);
  if (known) return { ready: true, body: known };
  const body = await readPage(context.database, accountId, range);
  context.pages.set(key, body);
  return { ready: true, body };
}

export function requireStatistics(account: Account): void {
  if (account.statisticsEnabled) return;
  throw forbidden('Statistics are not enabled on this account: set statisticsEnabled to true');
}

const HEAD = Buffer.from('{"trades":[');
const TAIL = Buffer.from(']}');
const COMMA = Buffer.from(',');

/**
 * A page is one range read: its chunks follow each other, and their bytes are the answer's. Only a
 * page with an offset first looks where its range begins.
 */
async function readPage(sql: Sql, accountId: string, range: TradeRange): Promise<Buffer> {
  const count = Math.ceil(range.limit / TRADES_PER_CHUNK) + 1;
  let chunks = await readChunksFrom(sql, accountId, range.startMs, range.offset === 0 ? count : 2);
  const first = firstTrade(chunks, range.startMs) + range.offset;
  if (range.offset > 0) {
    chunks = await readChunks(sql, accountId, Math.floor(first / TRADES_PER_CHUNK), count);
  }
  const parts: Buffer[] = [];
  for (const chunk of chunks) {
    const start = chunk.chunkNumber * TRADES_PER_CHUNK;
    const from = Math.max(first - start, 0);
    const to = Math.min(first + range.limit - start, chunk.countBefore(range.endMs));
    if (from < to) parts.push(parts.length === 0 ? HEAD : COMMA, chunk.slice(from, to));
  }
  return Buffer.concat(parts.length === 0 ? [HEAD, TAIL] : [...parts, TAIL]);
}

/** The place in the whole history of the first trade that closed at or after a time. */
function firstTrade(chunks: readonly TradeChunk[], startMs: BrokerTimeMs): number {
  for (const chunk of chunks) {
    const before = chunk.countBefore(startMs);
    if (before < chunk.count) return chunk.chunkNumber * TRADES_PER_CHUNK + before;
  }
  const last = chunks.at(-1);
  return last ? last.chunkNumber * TRADES_PER_CHUNK + last.count : 0;
}
