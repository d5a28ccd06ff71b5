import { compareIds, type Deal } from '../domain/deal.ts';
import type { ClockViews } from '../domain/live/clock-views.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import type { GrowthDay } from '../domain/metrics/growth-day.ts';
import {
  book,
  createMetricsState,
  foldMetrics,
  type MetricsState,
} from '../domain/metrics/metrics-state.ts';
import { decodeMetricsState, encodeMetricsState } from '../domain/metrics/metrics-state-codec.ts';
import { TradeColumns } from '../domain/metrics/trade-columns.ts';
import { moneyDigits } from '../domain/money.ts';
import type { Trade } from '../domain/trade.ts';
import { type BalanceMark, foldBalanceMark } from '../domain/trades/balance-mark.ts';
import {
  createTradeState,
  foldTradeDeal,
  opensIn,
  type TradeState,
} from '../domain/trades/trade-state.ts';
import { decodeTradeState, encodeTradeState } from '../domain/trades/trade-state-codec.ts';
import type { Account } from '../storage/account-store.ts';
import type { Sql } from '../storage/database.ts';
import {
  type History,
  readFoldTexts,
  readHistory,
  type StoredFold,
} from '../storage/history-store.ts';
import { listCarriedIn } from '../storage/import-store.ts';
import type { StoredSegment } from '../storage/part-store.ts';
import {
  readChunks,
  readTradeColumns,
  TRADES_PER_CHUNK,
  TradeChunk,
  type TradeItem,
} from '../storage/trade-store.ts';
import { nextDeals } from './next-deals.ts';
import { CHUNKS_PER_SEGMENT, segmentOf, TRADES_PER_SEGMENT } from './part-segments.ts';
import { presentTrade } from './present-trade.ts';

/** Deals that are read and folded at a time. */
const DEALS_PER_SLICE = 4000;
const DEALS_PER_TURN = 100;
/**
 * From one stage to the next: this many deals must be folded to know a moment of the past. The
 * distance is larger if many positions are open, so that stages never take more room than twice the
 * last one and the deals.
 */
const DEALS_PER_STAGE = 4000;

/** The owner of the history. */
export type FoldedAccount = Pick<Account, 'number' | 'id' | 'currency' | 'brokerClock'>;

export type SliceOptions = {
  /** Lets other work run. */
  pause?: (() => Promise<unknown>) | undefined;
  /** Once it has this many deals, it ends with the end of a moment. */
  deals?: number | undefined;
};

/** Additions of the next deals to an account's stored trades and statistics. */
export type Slice = {
  /**
   * Version of the history that this slice was computed from. If it has changed, the slice is
   * useless.
   */
  basis: History;
  /** New or changed chunks; those stored from `endChunk` on are outdated. */
  chunks: TradeChunk[];
  endChunk: number;
  /** New or changed complete segments. */
  segments: StoredSegment[];
  /** All days from the first one on, up to the last folded one. */
  fromDay: number;
  days: GrowthDay[];
  fold: Omit<StoredFold, 'tradeVersion'>;
  /** Everything folded before is outdated. */
  isFirst: boolean;
  /** The current fold is to be kept: see stage-store.ts. */
  isStage: boolean;
  /** No deals were left. */
  isLast: boolean;
};

/**
 * Folds the next deals of an account into its stored state: those after the last folded one, or the
 * first ones if a deal came late. It only reads, and pauses to let other work run.
 */
export async function foldSlice(
  sql: Sql,
  clocks: ClockViews,
  account: FoldedAccount,
  { pause = nextTurn, deals: atMost = DEALS_PER_SLICE }: SliceOptions = {},
): Promise<Slice> {
  const basis = await readHistory(sql, account.number);
  const clock = clocks.viewOf(account.brokerClock);
  const known = basis.mustRebuild ? undefined : await readFoldTexts(sql, account.number);
  const nextAfter = (folded: typeof known) => {
    let state: TradeState | undefined;
    const isOpen = (positionId: string): boolean => {
      state ??= folded ? decodeTradeState(folded.foldState) : createTradeState();
      return opensIn(state)(positionId);
    };
    const from = { last: folded && basis.last, isOpen };
    return nextDeals(sql, account.number, clock, from, atMost, pause);
  };
  let next = await nextAfter(known);
  // Deals of wall times that are shown twice are put in order together.
  const twice = known && basis.last && clock.shownTwice(basis.last.timeMs);
  const isSplit = next.deals.some(({ timeMs }) => timeMs < (twice?.untilMs ?? timeMs));
  if (isSplit) next = await nextAfter(undefined);
  const begun = isSplit ? undefined : known;
  const last = begun && basis.last;
  const { deals, last: newest, isLast } = next;
  const fold = new Folding(account, begun);
  const marks = await listCarriedIn(sql, account.number);
  const waiting = marks.filter(({ timeMs }) => last === undefined || timeMs > last.timeMs);
  for (const [index, deal] of deals.entries()) {
    for (let [mark] = waiting; mark && mark.timeMs <= deal.timeMs; [mark] = waiting) {
      fold.addMark(mark);
      waiting.shift();
    }
    fold.add(deal);
    if (index % DEALS_PER_TURN === DEALS_PER_TURN - 1) await pause();
  }
  const stored = begun ? basis.tradeCount : 0;
  const unstaged = (begun ? basis.unstagedDeals : 0) + deals.length;
  const isStage = unstaged >= Math.max(DEALS_PER_STAGE, fold.openCount);
  const { chunks, endChunk, tradeCount } = await chunksOf(sql, account.number, stored, fold.items);
  const segments = await segmentsOf(sql, account.number, chunks, tradeCount, pause);
  return {
    ...{
      basis,
      chunks,
      endChunk,
      segments,
      fromDay: fold.fromDay,
      days: [...fold.days.values()],
      isLast,
    },
    ...{ isFirst: begun === undefined, isStage },
    fold: {
      ...{ last: newest && { timeMs: newest.timeMs, id: newest.id }, tradeCount },
      unstagedDeals: isStage ? 0 : unstaged,
      ...fold.texts(),
    },
  };
}

/** The folds of trades and statistics, and their output. */
class Folding {
  readonly #account: FoldedAccount;
  readonly #digits: number;
  readonly #trades: TradeState;
  readonly #metrics: MetricsState;
  readonly items: TradeItem[] = [];
  readonly days = new Map<number, GrowthDay>();
  readonly fromDay: number;

  constructor(account: FoldedAccount, begun: ReturnType<Folding['texts']> | undefined) {
    this.#account = account;
    this.#digits = moneyDigits(account.currency);
    this.#trades = begun ? decodeTradeState(begun.foldState) : createTradeState();
    this.#metrics = begun ? decodeMetricsState(begun.metricsState) : createMetricsState();
    const { day } = this.#metrics;
    if (day) this.days.set(day.day, day);
    this.fromDay = day?.day ?? Number.MIN_SAFE_INTEGER;
  }

  get openCount(): number {
    return this.#trades.positions.size;
  }

  addMark(mark: BalanceMark): void {
    const lines = foldBalanceMark(this.#trades, mark);
    this.#put(lines);
    for (const { closeTimeMs: timeMs, type, profit: money } of lines)
      this.#touch(book(this.#metrics, { timeMs, type, money }, true));
  }

  add(deal: Deal): void {
    const trades = foldTradeDeal(this.#trades, deal);
    this.#put(trades);
    this.#touch(foldMetrics(this.#metrics, deal, trades));
  }

  texts() {
    return {
      foldState: encodeTradeState(this.#trades),
      metricsState: encodeMetricsState(this.#metrics),
    };
  }

  #put(trades: readonly Trade[]): void {
    for (const trade of trades)
      this.items.push(presentTrade(this.#account.id, trade, this.#digits));
  }

  #touch(day: GrowthDay | undefined): void {
    if (day) this.days.set(day.day, day);
  }
}

const compareItems = (a: TradeItem, b: TradeItem): number =>
  a.closeTimeMs - b.closeTimeMs || compareIds(a.id, b.id);

/** The chunks that new trades change or add, and their end. */
async function chunksOf(
  sql: Sql,
  accountNumber: number,
  tradeCount: number,
  added: readonly TradeItem[],
): Promise<Pick<Slice, 'chunks' | 'endChunk'> & { tradeCount: number }> {
  const [first] = added.toSorted(compareItems);
  if (!first) return { chunks: [], endChunk: Math.ceil(tradeCount / TRADES_PER_CHUNK), tradeCount };
  const tail = await readTail(sql, accountNumber, tradeCount, first.closeTimeMs);
  const items = [...tail.items, ...added].sort(compareItems);
  const chunks: TradeChunk[] = [];
  for (let start = 0; start < items.length; start += TRADES_PER_CHUNK) {
    const number = tail.chunkNumber + chunks.length;
    chunks.push(TradeChunk.of(number, items.slice(start, start + TRADES_PER_CHUNK)));
  }
  return {
    chunks,
    endChunk: tail.chunkNumber + chunks.length,
    tradeCount: tail.chunkNumber * TRADES_PER_CHUNK + items.length,
  };
}

/** The complete segments of changed chunks; those before the first are stored. */
async function segmentsOf(
  sql: Sql,
  accountNumber: number,
  chunks: readonly TradeChunk[],
  tradeCount: number,
  pause: () => Promise<unknown>,
): Promise<StoredSegment[]> {
  const [first] = chunks;
  if (!first) return [];
  const segments: StoredSegment[] = [];
  const wholeSegments = Math.floor(tradeCount / TRADES_PER_SEGMENT);
  const begun = Math.floor(first.chunkNumber / CHUNKS_PER_SEGMENT);
  for (let number = begun; number < wholeSegments; number += 1) {
    const start = number * CHUNKS_PER_SEGMENT;
    const before = await readTradeColumns(sql, accountNumber, start, first.chunkNumber - start);
    const own = chunks.filter(
      ({ chunkNumber }) => chunkNumber >= start && chunkNumber < start + CHUNKS_PER_SEGMENT,
    );
    const columns = [...before, ...own.map(({ figures }) => new TradeColumns(figures))];
    segments.push(await segmentOf(number, columns, pause));
  }
  return segments;
}

type Tail = { chunkNumber: number; items: TradeItem[] };

/**
 * The trades of all chunks that new trades can change: the last one if it is not full, and those
 * with trades that closed at or after the first new one, as ids decide between equal times.
 */
async function readTail(
  sql: Sql,
  accountNumber: number,
  tradeCount: number,
  firstCloseMs: number,
): Promise<Tail> {
  const tail: Tail = { chunkNumber: Math.ceil(tradeCount / TRADES_PER_CHUNK), items: [] };
  while (tail.chunkNumber > 0) {
    const number = tail.chunkNumber - 1;
    const [chunk] = await readChunks(sql, accountNumber, number, 1, { withFigures: true });
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
