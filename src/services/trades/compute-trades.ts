import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareDeals, compareIds, type Deal } from '../../domain/deal.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { Trade } from '../../domain/trade.ts';
import { foldBalanceMark } from '../../domain/trades/balance-mark.ts';
import { createTradeState, foldDeal } from '../../domain/trades/trade-state.ts';
import { decodeTradeState, encodeTradeState } from '../../domain/trades/trade-state-codec.ts';
import { type Account, holdAccount } from '../../storage/account-store.ts';
import type { Sql, Transaction } from '../../storage/database.ts';
import { listDeals } from '../../storage/deal-store.ts';
import { type History, historyLock, readHistory, saveFold } from '../../storage/history-store.ts';
import { listCarriedIn } from '../../storage/import-store.ts';
import {
  readChunks,
  replaceChunks,
  TRADES_PER_CHUNK,
  TradeChunk,
  type TradeItem,
} from '../../storage/trade-store.ts';
import type { Context } from '../context.ts';
import { presentTrade } from './present-trade.ts';

const DEALS_PER_READ = 2000;
/** Computations that may be overtaken by new deals before one is done under the account's lock. */
const OPTIMISTIC_ATTEMPTS = 2;

/**
 * Brings an account's stored trades up to its deals: carries the fold on over the deals that came
 * since, or folds from the start when one came late. Deals are read and folded outside the
 * transaction, in turns with other work; deals that arrive meanwhile make it start again.
 */
export async function computeTrades(
  { database, changes }: Pick<Context, 'database' | 'changes'>,
  account: Account,
): Promise<void> {
  const { number } = account;
  for (let attempt = 1; ; attempt += 1) {
    const history = await readHistory(database, number);
    if (history.tradeVersion === history.dealVersion) return;
    const locked = attempt > OPTIMISTIC_ATTEMPTS;
    const computed = locked ? undefined : await foldHistory(database, account, history, nextTurn);
    const done = await changes.record(async (tx) => {
      // One that was deleted has no trades any more.
      if (!(await holdAccount(tx, number))) return true;
      await tx.lock(historyLock(number));
      const current = await readHistory(tx, number);
      const overtaken =
        current.dealVersion !== history.dealVersion ||
        current.tradeVersion !== history.tradeVersion;
      if (overtaken && !locked) return false;
      await save(tx, account, current, computed ?? (await foldHistory(tx, account, current)));
      return true;
    });
    if (done) return;
  }
}

/** How many deals wait to be folded, up to a bound: tells a moment's work from a long one. */
export async function countWaitingDeals(
  sql: Sql,
  accountNumber: number,
  bound: number,
): Promise<number> {
  const { mustRebuild, last } = await readHistory(sql, accountNumber);
  const from = mustRebuild || !last ? Number.MIN_SAFE_INTEGER : last.timeMs;
  const row = await sql.get<{ waiting: number }>(
    `select count(*) as waiting from
       (select 1 from deal where account_number = $1 and time_ms >= $2 limit $3) as waiting_deal`,
    [accountNumber, from, bound],
  );
  return row?.waiting ?? 0;
}

type Folded = { items: TradeItem[]; last: History['last']; foldState: string; fromStart: boolean };

async function foldHistory(
  sql: Sql,
  account: Account,
  history: History,
  pause: () => Promise<unknown> = async () => {},
): Promise<Folded> {
  const digits = moneyDigits(account.currency);
  const fromStart = history.mustRebuild || !history.last || history.foldState === undefined;
  const state =
    fromStart || history.foldState === undefined
      ? createTradeState()
      : decodeTradeState(history.foldState);
  let last = fromStart ? undefined : history.last;
  const items: TradeItem[] = [];
  const add = (trades: readonly Trade[]) => {
    for (const trade of trades) items.push(presentTrade(account.id, trade, digits));
  };
  const marks = await listCarriedIn(sql, account.number);
  const waiting = marks.filter(({ timeMs }) => last === undefined || timeMs > last.timeMs);
  for await (const deals of dealsAfter(sql, account.number, last)) {
    for (const deal of deals) {
      for (let [mark] = waiting; mark && mark.timeMs <= deal.timeMs; [mark] = waiting) {
        add(foldBalanceMark(state, mark));
        waiting.shift();
      }
      add(foldDeal(state, deal));
      last = { timeMs: deal.timeMs, id: deal.id };
    }
    await pause();
  }
  items.sort(compareItems);
  return { items, last, foldState: encodeTradeState(state), fromStart };
}

/**
 * The deals after a place in compareDeals order, in runs that end between two times: the database
 * orders ids as text, so deals of one moment are sorted here.
 */
async function* dealsAfter(
  sql: Sql,
  accountNumber: number,
  last: History['last'],
): AsyncGenerator<Deal[]> {
  let place = { timeMs: last?.timeMs ?? Number.MIN_SAFE_INTEGER, id: '' };
  let held: Deal[] = [];
  for (;;) {
    const read = await listDeals(sql, accountNumber, place, DEALS_PER_READ);
    const deals = [...held, ...read].sort(compareDeals);
    const ended = read.length < DEALS_PER_READ;
    const newestMs = deals.at(-1)?.timeMs;
    held = ended ? [] : deals.filter((deal) => deal.timeMs === newestMs);
    const ready = held.length > 0 ? deals.slice(0, -held.length) : deals;
    yield last ? ready.filter((deal) => compareDeals(deal, last) > 0) : ready;
    if (ended) return;
    const final = read.at(-1);
    if (final) place = { timeMs: final.timeMs, id: final.id };
  }
}

const compareItems = (a: TradeItem, b: TradeItem): number =>
  a.closeTimeMs - b.closeTimeMs || compareIds(a.id, b.id);

async function save(
  tx: Transaction,
  account: Account,
  history: History,
  folded: Folded,
): Promise<void> {
  const tradeCount = await saveTrades(tx, account.number, history.tradeCount, folded);
  await saveFold(tx, account.number, {
    tradeVersion: history.dealVersion,
    last: folded.last,
    foldState: folded.foldState,
    tradeCount,
  });
}

/** Adds the new trades to the stored ones, or replaces those, and tells how many there are now. */
async function saveTrades(
  tx: Transaction,
  accountNumber: number,
  tradeCount: number,
  { items: added, fromStart }: Folded,
): Promise<number> {
  const [first] = added;
  if (!first && !fromStart) return tradeCount;
  const tail: Tail =
    first && !fromStart
      ? await readTail(tx, accountNumber, tradeCount, first.closeTimeMs)
      : { chunkNumber: 0, items: [] };
  const items = [...tail.items, ...added].sort(compareItems);
  const chunks: TradeChunk[] = [];
  for (let start = 0; start < items.length; start += TRADES_PER_CHUNK) {
    const number = tail.chunkNumber + chunks.length;
    chunks.push(TradeChunk.of(number, items.slice(start, start + TRADES_PER_CHUNK)));
  }
  await replaceChunks(tx, accountNumber, tail.chunkNumber, chunks);
  return tail.chunkNumber * TRADES_PER_CHUNK + items.length;
}

type Tail = { chunkNumber: number; items: TradeItem[] };

/**
 * The trades from the first chunk on that new ones can change: the last one where it is not full,
 * and those with trades that closed at or after the first new one, since ids decide among equals.
 */
async function readTail(
  tx: Transaction,
  accountNumber: number,
  tradeCount: number,
  firstCloseMs: number,
): Promise<Tail> {
  const tail: Tail = { chunkNumber: Math.ceil(tradeCount / TRADES_PER_CHUNK), items: [] };
  while (tail.chunkNumber > 0) {
    const number = tail.chunkNumber - 1;
    const [chunk] = await readChunks(tx, accountNumber, number, 1);
    if (!chunk)
      throw new Error(`Invariant: chunk ${number} of account ${accountNumber} is missing`);
    const tied = chunk.closeTimeMs(chunk.count - 1) >= firstCloseMs;
    if (!tied && chunk.count === TRADES_PER_CHUNK) break;
    tail.items = [...chunk.items(), ...tail.items];
    tail.chunkNumber = number;
    if (chunk.closeTimeMs(0) < firstCloseMs) break;
  }
  return tail;
}
