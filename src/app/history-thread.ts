/** The thread that folds long histories, with a connection to the database of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { foldSlice } from '../services/trades/fold-slice.ts';
import { stepBack } from '../statements/worker/step-back.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import type { FromHistoryThread, ToHistoryThread } from './history-messages.ts';
import { openForThread } from './open-database.ts';
import type { Settings } from './settings.ts';

stepBack();
const database = openForThread(workerData as Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>);

async function answer({ id, account }: ToHistoryThread): Promise<FromHistoryThread> {
  try {
    const { chunks, ...slice } = await foldSlice(database, account);
    const sent = chunks.map((chunk) => ({
      chunkNumber: chunk.chunkNumber,
      body: chunk.body,
      marks: chunk.encodedMarks(),
    }));
    return { id, slice: { ...slice, chunks: sent } };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, failure: { message, isUnavailable: error instanceof DatabaseUnavailable } };
  }
}

parentPort?.on('message', (asked: ToHistoryThread) => {
  void answer(asked).then((message) => parentPort?.postMessage(message));
});
