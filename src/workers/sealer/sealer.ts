import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import { type AuditNote, auditOf, type ChangeTransaction } from '../../services/changes.ts';
import type { Context } from '../../services/context.ts';
import type { EvidenceKeys, Signer } from '../../services/evidence/evidence-keys.ts';
import { holdAccount } from '../../storage/account-store.ts';
import type { Database } from '../../storage/database.ts';
import { readLastNumber } from '../../storage/event-number-store.ts';
import { holdEvidenceKey } from '../../storage/evidence-key-store.ts';
import {
  findAsides,
  nextAside,
  removeAside,
  type SealAside,
  saveAside,
} from '../../storage/seal-aside-store.ts';
import {
  advanceSeals,
  countUnsealed,
  insertSeal,
  readSealHead,
  readUnsealed,
  saveTree,
  type WaitingEvent,
} from '../../storage/seal-store.ts';
import { Repeater } from '../repeater.ts';
import type { Worker } from '../worker.ts';
import { type Grown, growTrees, type Hindrance } from './grow-trees.ts';

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
const ACTOR = { actor: 'sealer', tokenId: null };

/** Events to be sealed together, and what their sealing depends on. */
type Round = { head: number; events: readonly WaitingEvent[]; asides: readonly SealAside[] };
/** Stores how far sealing came, and says it in the audit. */
type Settle = (tx: ChangeTransaction) => Promise<AuditNote[]>;

const asideOf = ({ userId, sequenceNumber, reason }: Hindrance, sinceMs: number): SealAside => ({
  ...{ userId, fromNumber: sequenceNumber, reason, sinceMs },
});

/**
 * Seals events in order, soon after they are numbered, in whichever process is first. A user of
 * whom an event cannot be sealed is set aside, and tried again in turn with the others set aside.
 */
export class Sealer implements Worker {
  readonly #context: Context;
  readonly #database: Database;
  readonly #keys: EvidenceKeys;
  readonly #time: Timekeeper;
  readonly #repeater: Repeater;
  /** The user set aside who was tried last. */
  #tried = '';

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
        while (!signal.aborted && (await this.#retrySome()));
      },
    });
  }

  start(): void {
    this.#repeater.start();
  }

  stop(): Promise<void> {
    return this.#repeater.stop();
  }

  /** The next events of all users who are not set aside. Returns whether there may be more. */
  async #sealSome(): Promise<boolean> {
    const lastNumber = await readLastNumber(this.#database);
    const head = await readSealHead(this.#database);
    const all = await readUnsealed(this.#database, { after: head }, EVENTS_AT_ONCE);
    const last = all.at(-1);
    if (!last) return head < lastNumber && this.#passOver(head, lastNumber);
    const isStorm = (await countUnsealed(this.#database, head, MANY)) === MANY;
    const users = all.map(({ userId }) => userId);
    const asides = await findAsides(this.#database, users);
    const waiting = new Set(asides.map(({ userId }) => userId));
    const events = all.filter(({ userId }) => !waiting.has(userId));
    const grown = await this.#grow(events, isStorm ? 0 : REST_MS);
    for (const { error, userId, sequenceNumber } of grown.hindrances) {
      const about = { err: error, userId, sequenceNumber };
      this.#context.logger.error(about, 'events of a user cannot be sealed from this one on');
    }
    return this.#store({ head, events: all, asides }, grown, async (tx) => {
      await advanceSeals(tx, last.sequenceNumber);
      for (const hindrance of grown.hindrances)
        await saveAside(tx, asideOf(hindrance, this.#context.now()));
      return grown.hindrances.map(({ userId, sequenceNumber, reason }) => ({
        ...{ action: 'seals.set-aside' as const, userId },
        details: { fromNumber: sequenceNumber, reason },
      }));
    });
  }

  /** Numbers that no event has: skipped after a restore, or of deleted accounts. */
  async #passOver(head: number, lastNumber: number): Promise<boolean> {
    const round = { head, events: [], asides: [] };
    return this.#store(round, await this.#grow([], 0), async (tx) => {
      await advanceSeals(tx, lastNumber);
      return [];
    });
  }

  /** The next events of the user set aside whose turn it is. Returns whether there may be more. */
  async #retrySome(): Promise<boolean> {
    const aside = await nextAside(this.#database, this.#tried);
    if (!aside) return false;
    const { userId, fromNumber } = aside;
    const head = await readSealHead(this.#database);
    const part = { after: fromNumber - 1, upTo: head, userId };
    const events = await readUnsealed(this.#database, part, EVENTS_AT_ONCE);
    const grown = await this.#grow(events, REST_MS);
    const [hindrance] = grown.hindrances;
    if (hindrance?.sequenceNumber === fromNumber) {
      this.#tried = userId;
      return false;
    }
    return this.#store({ head, events, asides: [aside] }, grown, async (tx) => {
      if (hindrance) await saveAside(tx, asideOf(hindrance, aside.sinceMs));
      else if (events.length === EVENTS_AT_ONCE)
        await saveAside(tx, { ...aside, fromNumber: (events.at(-1)?.sequenceNumber ?? 0) + 1 });
      else {
        await removeAside(tx, userId);
        return [{ action: 'seals.resumed', userId, details: { sealedTo: head } }];
      }
      return [];
    });
  }

  /**
   * The statements are read, hashed and signed first, so that the transaction only stores them:
   * breaches wait for SQLite's only writer, too.
   */
  async #grow(
    events: readonly WaitingEvent[],
    restMs: number,
  ): Promise<Grown & { signer: Signer }> {
    const signer = await this.#keys.signer();
    const rest = () => sleep(this.#time, restMs);
    const { now } = this.#context;
    const world = { database: this.#database, keys: this.#keys, now, signer, rest };
    return { ...(await growTrees(world, events)), signer };
  }

  /** Returns whether there may be more: not while another process is sealing. */
  #store(
    { head, events, asides }: Round,
    grown: Grown & { signer: Signer },
    settle: Settle,
  ): Promise<boolean> {
    const users = [...events.map(({ userId }) => userId), ...asides.map(({ userId }) => userId)];
    return this.#context.changes.make<boolean>(ACTOR, async (tx) => {
      if (!(await tx.tryLock(LOCK))) return { result: false, audit: 'unchanged' };
      // Another process has sealed them, the key was replaced, or an account was deleted: what was
      // prepared is void.
      const isVoid =
        (await readSealHead(tx)) !== head ||
        !(await holdEvidenceKey(tx, grown.signer)) ||
        JSON.stringify(await findAsides(tx, users)) !== JSON.stringify(asides) ||
        !(await holdAccounts(tx, [...grown.seals, ...grown.hindrances]));
      if (isVoid) return { result: true, audit: 'unchanged' };
      for (const seal of grown.seals) await insertSeal(tx, seal);
      for (const tree of grown.trees) await saveTree(tx, tree);
      return { result: events.length === EVENTS_AT_ONCE, audit: auditOf(await settle(tx)) };
    });
  }
}

/** Returns whether all still exist. If so, they do to the end of the transaction. */
async function holdAccounts(
  tx: ChangeTransaction,
  of: readonly { accountNumber: number }[],
): Promise<boolean> {
  for (const number of new Set(of.map(({ accountNumber }) => accountNumber))) {
    if (!(await holdAccount(tx, number))) return false;
  }
  return true;
}
