import { isSameClock } from '../domain/broker-time.ts';
import type { ClockViews } from '../domain/live/clock-views.ts';
import { type Account, holdAccount } from '../storage/account-store.ts';
import type { Sql, Transaction, TransactionOptions } from '../storage/database.ts';
import { replaceGrowthDays } from '../storage/growth-day-store.ts';
import {
  type History,
  historyLock,
  noteComputing,
  readHistory,
  saveFold,
} from '../storage/history-store.ts';
import { replaceSegment } from '../storage/part-store.ts';
import { deleteStages, insertStage } from '../storage/stage-store.ts';
import { deleteChunksFrom, replaceChunks } from '../storage/trade-store.ts';
import { foldSlice, type Slice } from './fold-slice.ts';

/** Slices that new deals may overtake before one is made under the account's lock. */
const OPTIMISTIC_ATTEMPTS = 2;
/** Of a slice made under the lock: on SQLite everything else waits, so there is no pause. */
const UNDER_LOCK = { deals: 200, pause: async () => {} };
/** Outdated chunks that one transaction deletes. */
const CHUNKS_PER_DELETION = 50;

/** Makes the next slice of an account: here, or in a thread. */
export type SliceFolder = (account: Account) => Promise<Slice>;

/** Where deals are read, and the results stored. */
export type HistoryContext = {
  database: Sql;
  rules: { clocks: ClockViews };
  changes: {
    record<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  };
};

export type ComputeOptions = {
  /** Where slices are folded; here by default. */
  fold?: SliceFolder | undefined;
  /** Ends it after a slice; the next computation continues from there. */
  signal?: AbortSignal | undefined;
};

/**
 * Brings an account's stored trades and statistics up to date with its deals, a slice at a time:
 * each is folded outside of a transaction, and stored, with its end position, in a short one. So
 * others never wait for long, memory does not grow with the history, and finished slices are kept.
 * After a late deal it starts again. If deals arrive during a slice, the slice is folded again. An
 * import being stored or taken back is folded as far as it is there; the next call does the rest.
 */
export async function computeTrades(
  { database, changes, rules: { clocks } }: HistoryContext,
  account: Account,
  options: ComputeOptions = {},
): Promise<void> {
  const { fold = (folded) => foldSlice(database, clocks, folded), signal } = options;
  const owner = `user:${account.userId}`;
  let known = account;
  let overtaken = 0;
  while (!signal?.aborted) {
    const { dealVersion, tradeVersion } = await readHistory(database, account.number);
    if (tradeVersion === dealVersion) return;
    const isLocked = overtaken >= OPTIMISTIC_ATTEMPTS;
    const folded = isLocked ? undefined : await fold(known);
    const outcome = await changes.record(
      async (tx) => {
        const held = await holdAccount(tx, account.number);
        // A deleted account has no trades.
        if (!held) return 'done';
        const isNewClock = !isSameClock(held.brokerClock, known.brokerClock);
        known = held;
        if (folded && isNewClock) return 'overtaken';
        await tx.lock(historyLock(account.number));
        const slice = folded ?? (await foldSlice(tx, clocks, held, UNDER_LOCK));
        return saveSlice(tx, account.number, slice);
      },
      { owner },
    );
    if (outcome === 'done') return;
    overtaken = outcome === 'overtaken' ? overtaken + 1 : 0;
  }
}

/** Stores a slice, unless something has changed since. The caller holds historyLock. */
async function saveSlice(
  tx: Transaction,
  accountNumber: number,
  slice: Slice,
): Promise<'done' | 'overtaken' | 'more'> {
  const { basis, chunks, endChunk, fromDay, days, fold, isLast } = slice;
  const history = await readHistory(tx, accountNumber);
  if (!isSame(history, basis)) return 'overtaken';
  if (slice.isFirst) await deleteStages(tx, accountNumber);
  if (isLast) {
    const deleted = await deleteChunksFrom(tx, accountNumber, endChunk, CHUNKS_PER_DELETION);
    if (deleted === CHUNKS_PER_DELETION) {
      await noteComputing(tx, accountNumber, -basis.dealVersion);
      return 'more';
    }
  }
  await replaceChunks(tx, accountNumber, chunks);
  for (const segment of slice.segments) await replaceSegment(tx, accountNumber, segment);
  const untilDay = isLast ? Number.MAX_SAFE_INTEGER : (days.at(-1)?.day ?? fromDay);
  await replaceGrowthDays(tx, accountNumber, { fromDay, untilDay }, days);
  // Below zero, trades are not read: they are incomplete, or made from a part of an import.
  const isWhole = isLast && history.isSettled;
  const tradeVersion = isWhole ? basis.dealVersion : -basis.dealVersion;
  await saveFold(tx, accountNumber, { ...fold, tradeVersion });
  const { last, foldState } = fold;
  if (slice.isStage && last) await insertStage(tx, accountNumber, { last, foldState });
  return isLast ? 'done' : 'more';
}

const isSame = (a: History, b: History): boolean =>
  a.dealVersion === b.dealVersion &&
  a.tradeVersion === b.tradeVersion &&
  a.mustRebuild === b.mustRebuild &&
  a.tradeCount === b.tradeCount &&
  a.last?.timeMs === b.last?.timeMs &&
  a.last?.id === b.last?.id;
