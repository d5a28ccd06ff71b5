import { canonicalJson, digestOf, firstHash, hashAfter } from '../../domain/evidence/seal-chain.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import { holdAccount } from '../../storage/account-store.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import {
  advanceSeals,
  findLastSeal,
  insertSeal,
  readUnsealed,
  type UnsealedEvent,
} from '../../storage/seal-store.ts';
import type { Context } from '../context.ts';
import { Repeater } from '../repeater.ts';
import type { EvidenceKey } from './evidence-key.ts';
import { makeStatement } from './make-statement.ts';

const EVERY_MS = 500;
/** SQLite has one writer, and works in the process's own thread: others wait for some milliseconds. */
const EVENTS_AT_ONCE = { sqlite: 4, postgres: 50 } as const;
/** Held by whoever seals, to the end of the transaction. */
const LOCK = 'plimsoll:seals';

/** Seals events in their order soon after they are told, in whatever process is first. */
export class Sealer {
  readonly #context: Context;
  readonly #database: Database;
  readonly #key: EvidenceKey;
  readonly #repeater: Repeater;

  constructor(context: Context, database: Database, key: EvidenceKey, time: Timekeeper) {
    this.#context = context;
    this.#database = database;
    this.#key = key;
    this.#repeater = new Repeater(time, context.logger);
  }

  start(): void {
    this.#repeater.start(EVERY_MS, 'events cannot be sealed yet', async (signal) => {
      while (!signal.aborted && (await this.#sealSome()));
    });
  }

  stop(): Promise<void> {
    return this.#repeater.stop();
  }

  /** Whether there may be more. */
  async #sealSome(): Promise<boolean> {
    // A look without a transaction: nearly always there is nothing.
    if ((await readUnsealed(this.#database, 1)).length === 0) return false;
    const sign = await this.#key.signer();
    return this.#context.changes.record(async (tx) => {
      if (!(await tx.tryLock(LOCK))) return false;
      const atOnce = EVENTS_AT_ONCE[tx.kind];
      const events = await readUnsealed(tx, atOnce);
      for (const event of events) await this.#seal(tx, event, sign);
      const last = events.at(-1);
      if (last) await advanceSeals(tx, last.sequenceNumber);
      return events.length === atOnce;
    });
  }

  /** One of an account that is gone is passed over, as it is in the feed. */
  async #seal(tx: Transaction, event: UnsealedEvent, sign: (hash: string) => string) {
    const { userId, accountNumber, sequenceNumber } = event;
    const account = await holdAccount(tx, accountNumber);
    if (!account) return;
    const before = await findLastSeal(tx, userId);
    const place = (before?.place ?? 0) + 1;
    const sealedAtMs = this.#context.now();
    const statement = await makeStatement(tx, account, event, { place, sealedAtMs });
    const digest = digestOf(statement);
    const hash = hashAfter(before?.hash ?? firstHash(userId), digest);
    await insertSeal(tx, {
      ...{ userId, place, sequenceNumber, accountNumber, digest, hash },
      signature: sign(hash),
      statement: canonicalJson(statement),
    });
  }
}
