/** The thread that folds histories, with a connection to the database of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { nextTurn } from '../domain/loop-turns.ts';
import { type FoldedAccount, foldSlice } from '../histories/fold-slice.ts';
import {
  type PositionReader,
  type PositionsAt,
  readPositionsAt,
} from '../histories/positions-at.ts';
import { GivingWay } from '../statements/worker/giving-way.ts';
import { stepBack } from '../statements/worker/step-back.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import type { FromHistoryThread, SentSlice, ToHistoryThread } from './history-messages.ts';
import { openForThread } from './open-database.ts';
import type { Settings } from './settings.ts';

const database = openForThread(workerData as Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>);
// Before it steps back: a connection that takes seconds is given up.
await database.get('select 1 as one').catch(() => {});
stepBack();
const givingWay = new GivingWay();
/** Readings of positions under way: somebody waits for them. */
let awaited = 0;

function pause(): Promise<void> {
  if (awaited === 0) givingWay.rest();
  return nextTurn();
}

async function answer(asked: ToHistoryThread): Promise<FromHistoryThread> {
  const { id } = asked;
  try {
    if ('account' in asked) return { id, slice: await sliceOf(asked.account) };
    return { id, positions: await positionsAt(...asked.positionsAt) };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, failure: { message, isUnavailable: error instanceof DatabaseUnavailable } };
  }
}

async function positionsAt(...asked: Parameters<PositionReader>): Promise<PositionsAt> {
  awaited += 1;
  try {
    return await readPositionsAt(database, ...asked);
  } finally {
    awaited -= 1;
  }
}

async function sliceOf(account: FoldedAccount): Promise<SentSlice> {
  const { chunks, ...slice } = await foldSlice(database, account, { pause });
  const sent = chunks.map((chunk) => ({
    chunkNumber: chunk.chunkNumber,
    body: chunk.body,
    marks: chunk.encodedMarks(),
    figures: chunk.figures,
  }));
  return { ...slice, chunks: sent };
}

parentPort?.on('message', (asked: ToHistoryThread) => {
  givingWay.begin();
  void answer(asked).then((message) => parentPort?.postMessage(message));
});
