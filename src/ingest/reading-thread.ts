/** The thread that reads large bodies: bytes come in, columns of numbers go back. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Fault } from '../contract/faults.ts';
import type { Steps } from '../contract/read-json.ts';
import type { SnapshotBody } from './read-snapshots.ts';
import { SnapshotReading } from './read-snapshots.ts';
import { Rejection, type RejectionKind } from './rejection.ts';

/** A body that takes longer yields to the next one. */
const SLICE_MS = 5;

/** Shared memory: the number of the body being read, to be known if this thread dies. */
export type ReadNow = { readNow: Int32Array };

/** Each answer carries the number of its body. */
export type BodyMessage = { number: number; body: Uint8Array; isNdjson: boolean };
export type ReadMessage = { number: number } & (
  | { ids: { count: number; bytes: Uint8Array }; columns: Omit<SnapshotBody, 'ids'> }
  | { kind: RejectionKind; message: string; faults: readonly Fault[] }
);

type Body = { number: number; steps: Steps<SnapshotBody> };

const reading = new SnapshotReading();
const waiting: Body[] = [];
const { readNow } = workerData as ReadNow;

/** Reads for one slice of time; returns the columns once everything is read. */
function readOn(steps: Steps<SnapshotBody>): SnapshotBody | undefined {
  const until = performance.now() + SLICE_MS;
  do {
    const step = steps.next();
    if (step.done) return step.value;
  } while (performance.now() < until);
  return undefined;
}

function giveTurn(): void {
  const body = waiting.shift();
  if (!body) return;
  Atomics.store(readNow, 0, body.number);
  try {
    const columns = readOn(body.steps);
    if (columns) answer(body.number, columns);
    else waiting.push(body);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { kind, message, faults } = error;
    parentPort?.postMessage({ number: body.number, kind, message, faults } satisfies ReadMessage);
  }
  if (waiting.length > 0) setImmediate(giveTurn);
}

function answer(number: number, { ids, ...columns }: SnapshotBody): void {
  const message: ReadMessage = { number, ids: { count: ids.count, bytes: ids.bytes }, columns };
  parentPort?.postMessage(message, [columns.timeMs.buffer as ArrayBuffer]);
}

parentPort?.on('message', ({ number, body, isNdjson }: BodyMessage) => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  waiting.push({ number, steps: reading.steps(bytes, isNdjson) });
  if (waiting.length === 1) setImmediate(giveTurn);
});
