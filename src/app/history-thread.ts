/** The thread that folds histories, with its own connection to the database. */
import { workerData } from 'node:worker_threads';
import { ClockViews } from '../domain/live/clock-views.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import { type FoldedAccount, foldSlice, type Slice } from '../histories/fold-slice.ts';
import {
  type PositionReader,
  type PositionsAt,
  readPositionsAt,
} from '../histories/positions-at.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { GivingWay } from '../threads/giving-way.ts';
import { stepBack } from '../threads/step-back.ts';
import { answerAsks } from '../threads/thread.ts';
import { openForThread } from './open-database.ts';
import type { Settings } from './settings.ts';

/** Requests to the history thread: the next slice of an account, or its positions at a moment. */
export type HistoryAsk = { account: FoldedAccount } | { positionsAt: Parameters<PositionReader> };

/** Chunks are transferred as bytes. */
type SentSlice = Omit<Slice, 'chunks'> & {
  chunks: {
    chunkNumber: number;
    body: Uint8Array;
    marks: Uint8Array;
    figures: Uint8Array;
  }[];
};

export type HistoryAnswer =
  | { slice: SentSlice }
  | { positions: PositionsAt }
  | { unavailable: string };

const database = openForThread(workerData as Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>);
// Before it steps back: a connection that takes seconds is given up.
await database.get('select 1 as one').catch(() => {});
stepBack();
const givingWay = new GivingWay();
const clocks = new ClockViews();
/** Running reads of positions: callers wait for them. */
let awaited = 0;

function pause(): Promise<void> {
  if (awaited === 0) givingWay.rest();
  return nextTurn();
}

answerAsks<HistoryAsk, HistoryAnswer>(async (ask) => {
  givingWay.begin();
  try {
    if ('account' in ask) return { slice: await sliceOf(ask.account) };
    return { positions: await positionsAt(...ask.positionsAt) };
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return { unavailable: error.message };
    throw error;
  }
});

async function positionsAt(...asked: Parameters<PositionReader>): Promise<PositionsAt> {
  awaited += 1;
  try {
    return await readPositionsAt(database, clocks, ...asked);
  } finally {
    awaited -= 1;
  }
}

async function sliceOf(account: FoldedAccount): Promise<SentSlice> {
  const { chunks, ...slice } = await foldSlice(database, clocks, account, { pause });
  const sent = chunks.map((chunk) => ({
    chunkNumber: chunk.chunkNumber,
    body: chunk.body,
    marks: chunk.encodedMarks(),
    figures: chunk.figures,
  }));
  return { ...slice, chunks: sent };
}
