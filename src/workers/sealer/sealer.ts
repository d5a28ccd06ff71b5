import {
  canonicalJson,
  digestOfText,
  firstHash,
  hashAfter,
} from '../../domain/evidence/seal-chain.ts';
import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import type { Context } from '../../services/context.ts';
import type { EvidenceKeys, Signer } from '../../services/evidence/evidence-keys.ts';
import { findNumbered, holdAccount } from '../../storage/account-store.ts';
import type { Database } from '../../storage/database.ts';
import { holdEvidenceKey } from '../../storage/evidence-key-store.ts';
import {
  advanceSeals,
  countUnsealed,
  findLastSeal,
  insertSeal,
  readSealHead,
  readUnsealed,
  type StoredSeal,
  type UnsealedEvent,
} from '../../storage/seal-store.ts';
import { Repeater } from '../repeater.ts';
import type { Worker } from '../worker.ts';
import { makeStatement } from './make-statement.ts';

const EVERY_MS = 500;
/** Events of one transaction. */
const EVENTS_AT_ONCE = 20;
/**
 * Sealing an event takes about a millisecond of the thread, which the next breach needs at each of
 * its steps: so there is a rest after each, unless too many are waiting.
 */
const REST_MS = 5;
const MANY = 1000;
/** Held while sealing, to the end of the transaction. */
const LOCK = 'plimsoll:seals';

/** Seals events in order, soon after they are numbered, in whichever process is first. */
export class Sealer implements Worker {
  readonly #context: Context;
  readonly #database: Database;
  readonly #keys: EvidenceKeys;
  readonly #time: Timekeeper;
  readonly #repeater: Repeater;

  constructor(context: Context, database: Database, keys: EvidenceKeys, time: Timekeeper) {
    this.#context = context;
    this.#database = database;
    this.#keys = keys;
    this.#time = time;
    this.#repeater = new Repeater(time, context.logger, {
      everyMs: EVERY_MS,
      failure: 'events cannot be sealed yet',
      work: async (signal) => {
        while (!signal.aborted && (await this.#sealSome()));
      },
    });
  }

  start(): void {
    this.#repeater.start();
  }

  stop(): Promise<void> {
    return this.#repeater.stop();
  }

  /**
   * Returns whether there may be more. The statements are read, digested and signed first, so that
   * the transaction only stores them: breaches wait for SQLite's only writer, too.
   */
  async #sealSome(): Promise<boolean> {
    const head = await readSealHead(this.#database);
    const events = await readUnsealed(this.#database, head, EVENTS_AT_ONCE);
    const last = events.at(-1);
    if (!last) return false;
    const isStorm = (await countUnsealed(this.#database, head, MANY)) === MANY;
    const signer = await this.#keys.signer();
    const seals = await this.#prepare(events, signer, isStorm ? 0 : REST_MS);
    return this.#context.changes.record(async (tx) => {
      if (!(await tx.tryLock(LOCK))) return false;
      // Another process has sealed them, the key was replaced, or an account was deleted: the
      // prepared seals are void.
      if ((await readSealHead(tx)) !== head || !(await holdEvidenceKey(tx, signer))) return true;
      for (const accountNumber of new Set(seals.map((seal) => seal.accountNumber))) {
        if (!(await holdAccount(tx, accountNumber))) return true;
      }
      for (const seal of seals) await insertSeal(tx, seal);
      await advanceSeals(tx, last.sequenceNumber);
      return events.length === EVENTS_AT_ONCE;
    });
  }

  /** The seals of events. Events of deleted accounts are skipped, as in the feed. */
  async #prepare(
    events: readonly UnsealedEvent[],
    signer: Signer,
    restMs: number,
  ): Promise<StoredSeal[]> {
    const seals: StoredSeal[] = [];
    const lastOf = new Map<string, StoredSeal | undefined>();
    for (const event of events) {
      const { userId, accountNumber, sequenceNumber } = event;
      const [account] = await findNumbered(this.#database, [accountNumber]);
      if (!account) continue;
      if (!lastOf.has(userId)) lastOf.set(userId, await findLastSeal(this.#database, userId));
      const before = lastOf.get(userId);
      const place = (before?.place ?? 0) + 1;
      const sealedAtMs = this.#context.now();
      const statement = await makeStatement(this.#database, account, event, { place, sealedAtMs });
      const text = canonicalJson(statement);
      const digest = digestOfText(text);
      const hash = hashAfter(before?.hash ?? firstHash(userId), digest);
      const seal = {
        ...{ userId, place, sequenceNumber, accountNumber, digest, hash },
        ...{ signature: signer.sign(hash), keyNumber: signer.number },
        statement: text,
      };
      seals.push(seal);
      lastOf.set(userId, seal);
      await sleep(this.#time, restMs);
    }
    return seals;
  }
}
