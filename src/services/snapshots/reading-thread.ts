/**
 * The thread that reads large bodies: bytes come in, columns of numbers go back. An id goes over once,
 * later rows name it by its number.
 */
import { parentPort } from 'node:worker_threads';
import { ServiceError, type ServiceErrorCode } from '../errors.ts';
import { newlyRead, type ReadAccount } from './read-account.ts';
import { isAccountId, readSnapshots } from './read-snapshots.ts';
import type { SnapshotColumns } from './snapshot-batch.ts';

export type BodyMessage = { body: Uint8Array; isNdjson: boolean };

/** What was read of a body, or why it can't be; in the order of the bodies. */
export type ReadMessage =
  | {
      /** The numbers given so far are forgotten before those of this message. */
      isFresh: boolean;
      /** Ids that follow those that have numbers already. */
      newIds: string[];
      /** Numbers of the accounts. */
      accounts: Uint32Array;
      columns: Omit<SnapshotColumns, 'accounts'>;
    }
  | { code: ServiceErrorCode; message: string; details: unknown };

interface NumberedAccount extends ReadAccount<NumberedAccount> {
  readonly number: number;
}

/** Numbers that are given before all are forgotten, which bounds both sides' memory. */
const MAX_NUMBERS = 200_000;

/** Gives every well-formed id a number. */
class Numbers {
  #known = new Map<string, NumberedAccount>();
  #newIds: string[] = [];

  find(id: string): NumberedAccount | undefined {
    const known = this.#known.get(id);
    if (known || !isAccountId(id)) return known;
    const account = { ...newlyRead<NumberedAccount>(id), number: this.#known.size };
    this.#known.set(id, account);
    this.#newIds.push(id);
    return account;
  }

  /** Before a body: whether the numbers begin anew. */
  begin(): boolean {
    const isFresh = this.#known.size >= MAX_NUMBERS;
    if (isFresh) {
      this.#known = new Map();
      this.#newIds = [];
    }
    return isFresh;
  }

  takeNewIds(): string[] {
    const taken = this.#newIds;
    this.#newIds = [];
    return taken;
  }
}

const numbers = new Numbers();

function read({ body, isNdjson }: BodyMessage): ReadMessage {
  const isFresh = numbers.begin();
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const { accounts: listed, ...columns } = readSnapshots(bytes, isNdjson, numbers);
  const accounts = new Uint32Array(listed.length);
  listed.forEach((account, place) => {
    if ('number' in account) accounts[place] = account.number;
  });
  return { isFresh, newIds: numbers.takeNewIds(), accounts, columns };
}

parentPort?.on('message', (message: BodyMessage) => {
  try {
    const answer = read(message);
    const moved = 'columns' in answer ? [answer.columns.timeMs.buffer as ArrayBuffer] : [];
    parentPort?.postMessage(answer, moved);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message: text, details } = error;
    parentPort?.postMessage({ code, message: text, details } satisfies ReadMessage);
  }
});
parentPort?.postMessage('ready');
