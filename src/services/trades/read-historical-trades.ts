import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import type { NotReady, TradeComputer } from '../../histories/trade-computer.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { findSync } from '../../storage/sync-store.ts';
import {
  findPlace,
  readChunks,
  readChunksFrom,
  TRADES_PER_CHUNK,
  type TradeChunk,
} from '../../storage/trade-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { forbidden, invalidParameter } from '../errors.ts';
import type { PageCache } from '../page-cache.ts';

/** Fetches new deals of an account from its platform; false while that is running. */
export type HistoryUpdate = (account: Account) => Promise<boolean>;

export type TradeQuery = {
  /** Broker times as text, start inclusive, end exclusive. */
  startTime: string;
  endTime: string;
  limit: number;
  offset: number;
  updateHistory: boolean;
};

type ReadPage = Page & { isOneRead: boolean };
type TradeRange = { startMs: BrokerTimeMs; endMs: BrokerTimeMs; limit: number; offset: number };

/** `{"trades": […]}` as bytes, in consecutive parts. */
export type Page = {
  body: Buffer[];
  /** Frees the memory of the sent parts; absent if they are shared. */
  release?: () => void;
};

export type HistoricalTrades = ({ ready: true } & Page) | NotReady;

/**
 * Trades with startTime ≤ close time < endTime, in order of close time, then id. Not ready while
 * trades are being computed. If the page is empty and the account was never read from its platform,
 * it is read first. Throws `forbidden` if statistics are switched off, `notFound`, `validation`.
 */
export async function readHistoricalTrades(
  context: Context & { trades: TradeComputer; pages: PageCache; updateHistory: HistoryUpdate },
  principal: Principal,
  accountId: string,
  query: TradeQuery,
): Promise<HistoricalTrades> {
  const { startTime, endTime, limit, offset, updateHistory } = query;
  const { startTime: startMs, endTime: endMs } = readBrokerTimes({ startTime, endTime });
  if (startMs > endMs) throw invalidParameter('startTime', 'must not be after endTime');
  const account = await accessAccount(context, principal, accountId);
  requireStatistics(account);
  if (updateHistory && !(await context.updateHistory(account))) {
    return { ready: false, retryAfterSeconds: 1 };
  }
  const range: TradeRange = { startMs, endMs, limit, offset };
  const page = await context.trades.read<Page>(account, async (tradeVersion) => {
    const key = [account.number, ...Object.values(range)].join('|');
    const version = String(tradeVersion);
    const known = context.pages.get(key, version);
    if (known) return { body: [known] };
    const { isOneRead, ...read } = await readPage(
      context.database,
      account.number,
      tradeVersion,
      range,
    );
    // Trades that change between two reads would make the page inconsistent; one read sees one
    // version.
    if (!isOneRead && !(await context.trades.isAt(account, tradeVersion))) return undefined;
    context.pages.set(key, version, read.body);
    return read;
  });
  if (!page.ready) return page;
  const isEmpty = page.value.body[0]?.length === EMPTY.length;
  if (isEmpty && !updateHistory && (await isUnread(context.database, account)))
    return readHistoricalTrades(context, principal, accountId, { ...query, updateHistory: true });
  return { ready: true, ...page.value };
}

/** Whether the account's platform still has to be read for the first time. */
async function isUnread(
  sql: Sql,
  { number, profileId, deployed }: Pick<Account, 'number' | 'profileId' | 'deployed'>,
): Promise<boolean> {
  if (profileId === null || !deployed) return false;
  const sync = await findSync(sql, number);
  return sync?.profileId !== profileId || sync.cursorMs === 0;
}

export function requireStatistics(account: Account): void {
  if (account.statisticsEnabled) return;
  throw forbidden('Statistics are not enabled on this account: set statisticsEnabled to true');
}

const HEAD = Buffer.from('{"trades":[');
const TAIL = Buffer.from(']}');
const EMPTY = Buffer.from('{"trades":[]}');
const COMMA = Buffer.from(',');

/**
 * A page's bytes are those of its chunks, without a copy. The first page of a range is one read of
 * consecutive chunks, and one more if it begins late in a chunk; a page with an offset first finds
 * where its range begins.
 */
async function readPage(
  sql: Sql,
  accountNumber: number,
  tradeVersion: number,
  range: TradeRange,
): Promise<ReadPage> {
  const { startMs, endMs, limit, offset } = range;
  const place = offset === 0 ? undefined : await findPlace(sql, accountNumber, startMs);
  const chunks =
    place === undefined
      ? await readChunksFrom(sql, accountNumber, tradeVersion, startMs, chunksOf(limit))
      : await readChunks(sql, accountNumber, ...chunksBetween(place + offset, limit));
  const first = place === undefined ? placeIn(chunks, startMs) : place + offset;
  const missing = missingChunks(chunks, first, range);
  if (missing) chunks.push(...(await readChunks(sql, accountNumber, ...missing)));
  const parts: Buffer[] = [];
  for (const chunk of chunks) {
    const start = chunk.chunkNumber * TRADES_PER_CHUNK;
    const from = Math.max(first - start, 0);
    const to = Math.min(first + limit - start, chunk.countBefore(endMs));
    if (from < to) parts.push(parts.length === 0 ? HEAD : COMMA, chunk.slice(from, to));
  }
  return {
    body: parts.length === 0 ? [EMPTY] : [...parts, TAIL],
    isOneRead: place === undefined && !missing && chunks.length > 0,
    release: () => {
      for (const chunk of chunks) chunk.release();
    },
  };
}

const chunksOf = (trades: number): number => Math.ceil(trades / TRADES_PER_CHUNK);

/** The number of the first chunk that holds some of these places, and how many chunks do. */
function chunksBetween(first: number, count: number): [fromChunk: number, count: number] {
  const fromChunk = Math.floor(first / TRADES_PER_CHUNK);
  return [fromChunk, chunksOf(first + count) - fromChunk];
}

/** The place in the whole history of the first trade that closed at or after a time. */
function placeIn([chunk]: readonly TradeChunk[], startMs: BrokerTimeMs): number {
  return chunk ? chunk.chunkNumber * TRADES_PER_CHUNK + chunk.countBefore(startMs) : 0;
}

/** Existing chunks of the page that were not read yet. */
function missingChunks(
  chunks: readonly TradeChunk[],
  first: number,
  { limit, endMs }: TradeRange,
): [fromChunk: number, count: number] | undefined {
  const last = chunks.at(-1);
  if (!last || last.countBefore(endMs) < TRADES_PER_CHUNK) return undefined;
  const next = last.chunkNumber + 1;
  const count = chunksOf(first + limit) - next;
  return count > 0 ? [next, count] : undefined;
}
