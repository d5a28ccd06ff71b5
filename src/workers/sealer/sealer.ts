import { canonicalJson } from '../../domain/evidence/canonical-json.ts';
import { GrowingTree, leafHash } from '../../domain/evidence/merkle-tree.ts';
import { headText, parseHead, parseNote, signNote } from '../../domain/evidence/signed-note.ts';
import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import type { Context } from '../../services/context.ts';
import type { EvidenceKeys, Signer } from '../../services/evidence/evidence-keys.ts';
import { TreeProofs } from '../../services/evidence/tree-proofs.ts';
import { findNumbered, holdAccount } from '../../storage/account-store.ts';
import type { Database } from '../../storage/database.ts';
import { holdEvidenceKey } from '../../storage/evidence-key-store.ts';
import {
  advanceSeals,
  countUnsealed,
  findTree,
  insertSeal,
  readSealHead,
  readUnsealed,
  type StoredSeal,
  type StoredTree,
  saveTree,
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
   * Returns whether there may be more. The statements are read, hashed and signed first, so that
   * the transaction only stores them: breaches wait for SQLite's only writer, too.
   */
  async #sealSome(): Promise<boolean> {
    const head = await readSealHead(this.#database);
    const events = await readUnsealed(this.#database, head, EVENTS_AT_ONCE);
    const last = events.at(-1);
    if (!last) return false;
    const isStorm = (await countUnsealed(this.#database, head, MANY)) === MANY;
    const signer = await this.#keys.signer();
    const { seals, trees } = await this.#prepare(events, signer, isStorm ? 0 : REST_MS);
    return this.#context.changes.record(async (tx) => {
      if (!(await tx.tryLock(LOCK))) return false;
      // Another process has sealed them, the key was replaced, or an account was deleted: the
      // prepared seals are void.
      if ((await readSealHead(tx)) !== head || !(await holdEvidenceKey(tx, signer))) return true;
      for (const accountNumber of new Set(seals.map((seal) => seal.accountNumber))) {
        if (!(await holdAccount(tx, accountNumber))) return true;
      }
      for (const seal of seals) await insertSeal(tx, seal);
      for (const tree of trees) await saveTree(tx, tree);
      await advanceSeals(tx, last.sequenceNumber);
      return events.length === EVENTS_AT_ONCE;
    });
  }

  /** The seals of events, and the new heads. Events of deleted accounts are skipped. */
  async #prepare(
    events: readonly UnsealedEvent[],
    signer: Signer,
    restMs: number,
  ): Promise<{ seals: StoredSeal[]; trees: StoredTree[] }> {
    const seals: StoredSeal[] = [];
    const grown = new Map<string, GrowingTree>();
    for (const event of events) {
      const { userId, accountNumber, sequenceNumber } = event;
      const [account] = await findNumbered(this.#database, [accountNumber]);
      if (!account) continue;
      const tree = grown.get(userId) ?? (await this.#treeOf(userId));
      grown.set(userId, tree);
      const place = tree.size + 1;
      const sealedAtMs = this.#context.now();
      const statement = canonicalJson(
        await makeStatement(this.#database, account, event, { place, sealedAtMs }),
      );
      const hashes = Buffer.concat(tree.add(leafHash(statement)));
      seals.push({ userId, place, sequenceNumber, accountNumber, hashes, statement });
      await sleep(this.#time, restMs);
    }
    const trees = Array.from(grown, async ([userId, { size, root }]) => {
      const origin = await this.#keys.origin(userId);
      return { userId, size, head: signNote(headText({ origin, size, root }), origin, signer) };
    });
    return { seals, trees: await Promise.all(trees) };
  }

  /**
   * The tree of a user, to be added to. Nothing is signed on top of hashes that somebody changed in
   * the database, who has no key: they must be those of the head that was signed last.
   */
  async #treeOf(userId: string): Promise<GrowingTree> {
    const stored = await findTree(this.#database, userId);
    if (!stored) return new GrowingTree(0, []);
    const { size, head } = stored;
    await this.#keys.signerOf(head);
    const tree = new GrowingTree(size, await new TreeProofs(this.#database, userId).edge(size));
    const signed = parseHead(parseNote(head));
    if (signed.size !== size || !signed.root.equals(tree.root))
      throw new Error(`The stored hashes of ${signed.origin} are not those that were signed`);
    return tree;
  }
}
