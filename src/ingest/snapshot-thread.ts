/** The thread that reads large bodies: bytes come in, columns of numbers go back. */
import { workerData } from 'node:worker_threads';
import type { Fault } from '../contract/faults.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import { answerAsks } from '../threads/thread.ts';
import type { SnapshotBody } from './read-snapshots.ts';
import { SnapshotReading } from './read-snapshots.ts';
import { Rejection, type RejectionKind } from './rejection.ts';

/** A body that takes longer yields to the next one. */
const SLICE_MS = 5;

/** Shared memory: the number of the body being read, in case this thread dies. */
export type ReadNow = { readNow: Int32Array };

export type BodyMessage = { number: number; body: Uint8Array; isNdjson: boolean };
export type ReadMessage =
  | { ids: { count: number; bytes: Uint8Array }; columns: Omit<SnapshotBody, 'ids'> }
  | { kind: RejectionKind; message: string; faults: readonly Fault[] };

const reading = new SnapshotReading();
const { readNow } = workerData as ReadNow;

/** Reads in time slices: bodies of one thread take turns. */
async function read({ number, body, isNdjson }: BodyMessage): Promise<ReadMessage> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  try {
    const steps = reading.steps(bytes, isNdjson);
    for (;;) {
      await nextTurn();
      Atomics.store(readNow, 0, number);
      const until = performance.now() + SLICE_MS;
      do {
        const step = steps.next();
        if (!step.done) continue;
        const { ids, ...columns } = step.value;
        return { ids: { count: ids.count, bytes: ids.bytes }, columns };
      } while (performance.now() < until);
    }
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { kind, message, faults } = error;
    return { kind, message, faults };
  }
}

answerAsks(read, (given) =>
  'columns' in given ? [given.columns.timeMs.buffer as ArrayBuffer] : [],
);
