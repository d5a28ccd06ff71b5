/** The thread that reads large bodies: bytes come in, columns of numbers go back. */
import { parentPort } from 'node:worker_threads';
import type { Fault } from '../contract/faults.ts';
import { SnapshotReading } from './read-snapshots.ts';
import { Rejection, type RejectionKind } from './rejection.ts';
import type { SnapshotColumns } from './snapshot-columns.ts';

/** Answers name the body that they are of. */
export type BodyMessage = { number: number; body: Uint8Array; isNdjson: boolean };
export type ReadMessage = { number: number } & (
  | { ids: { count: number; bytes: Uint8Array }; columns: Omit<SnapshotColumns, 'ids'> }
  | { kind: RejectionKind; message: string; faults: readonly Fault[] }
);

const reading = new SnapshotReading();

function read({ number, body, isNdjson }: BodyMessage): ReadMessage {
  try {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const { ids, ...columns } = reading.read(bytes, isNdjson);
    return { number, ids: { count: ids.count, bytes: ids.bytes }, columns };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { kind, message, faults } = error;
    return { number, kind, message, faults };
  }
}

parentPort?.on('message', (message: BodyMessage) => {
  const answer = read(message);
  const moved = 'columns' in answer ? [answer.columns.timeMs.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(answer, moved);
});
parentPort?.postMessage('ready');
