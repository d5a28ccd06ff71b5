import { moneyOf } from '../../domain/deal.ts';
import type { Engine } from '../../engine/engine.ts';
import { EntryBuilder } from '../../engine/entry-builder.ts';
import { encodeEntry } from '../../engine/entry-codec.ts';
import type { JournalEntry } from '../../engine/journal-entry.ts';
import { type Database, type Transaction, UniqueViolation } from '../../storage/database.ts';
import { appendJournal, commitJournal } from '../../storage/journal-store.ts';
import { deleteReceipts, findReceipt, insertReceipt } from '../../storage/receipt-store.ts';
import { insertNewDeals } from '../deals/record-deals.ts';
import { conflict, ServiceError, unavailable } from '../errors.ts';
import type { AccountDirectory } from './account-directory.ts';
import {
  countLate,
  type Reach,
  resolveBatch,
  type SnapshotBatch,
  type SnapshotColumns,
} from './snapshot-batch.ts';

export type Ingested = { accepted: number; late: number };
export type IdempotencyKey = { key: string; bodyHash: string };

/** Requests, and bytes of their bodies, that may wait for a commit. */
const MAX_WAITING_REQUESTS = 4096;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
/** Snapshots that share a commit. */
const ROWS_PER_COMMIT = 20_000;
const RETRY_AFTER_SECONDS = 1;
const RECEIPTS_KEPT_MS = 24 * 3_600_000;
const RECEIPTS_CLEARED_EVERY_MS = 600_000;

type Job = {
  columns: SnapshotColumns;
  reach: Reach;
  bytes: number;
  idempotency: IdempotencyKey | undefined;
  resolve: (answer: Ingested) => void;
  reject: (error: unknown) => void;
};
type Resolved = { job: Job; batch: SnapshotBatch };
type Committed = {
  position: number;
  entries: Map<number, JournalEntry>;
  answers: Map<Resolved, Ingested | ServiceError>;
};

/** Makes snapshots durable: requests that come while a commit runs share the next one. */
export class SnapshotWriter {
  readonly #database: Database;
  readonly #now: () => number;
  readonly directory: AccountDirectory;
  readonly #engine: Pick<Engine, 'hand' | 'ownerId'> | undefined;
  readonly #maxWaitingRequests: number;
  readonly #maxWaitingBytes: number;
  #waiting: Job[] = [];
  #waitingBytes = 0;
  #isRunning = false;
  #receiptsClearedMs = 0;

  constructor(parts: {
    database: Database;
    now: () => number;
    directory: AccountDirectory;
    engine: Pick<Engine, 'hand' | 'ownerId'> | undefined;
    maxWaitingRequests?: number;
    maxWaitingBytes?: number;
  }) {
    this.#database = parts.database;
    this.#now = parts.now;
    this.directory = parts.directory;
    this.#engine = parts.engine;
    this.#maxWaitingRequests = parts.maxWaitingRequests ?? MAX_WAITING_REQUESTS;
    this.#maxWaitingBytes = parts.maxWaitingBytes ?? MAX_WAITING_BYTES;
  }

  /**
   * Resolves when the rows are durable. Throws what resolveBatch throws, `unavailable` when too much
   * waits already, and `conflict` for a known key with another body.
   */
  async write(
    columns: SnapshotColumns,
    reach: Reach,
    bytes: number,
    idempotency?: IdempotencyKey,
  ): Promise<Ingested> {
    this.#admit(bytes);
    this.#waitingBytes += bytes;
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.push({ columns, reach, bytes, idempotency, resolve, reject });
        if (this.#isRunning) return;
        this.#isRunning = true;
        setImmediate(() => void this.#drain());
      });
    } finally {
      this.#waitingBytes -= bytes;
    }
  }

  #admit(bytes: number): void {
    const isFull =
      this.#waiting.length >= this.#maxWaitingRequests ||
      (this.#waitingBytes > 0 && this.#waitingBytes + bytes > this.#maxWaitingBytes);
    if (isFull) throw unavailable('Too many snapshots are waiting', RETRY_AFTER_SECONDS);
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const jobs = this.#takeJobs();
      try {
        await this.#write(jobs);
      } catch (error) {
        for (const job of jobs) job.reject(error);
      }
    }
    this.#isRunning = false;
    await this.#clearReceipts().catch(() => {});
  }

  #takeJobs(): Job[] {
    let rows = 0;
    let count = 0;
    for (const { columns } of this.#waiting) {
      if (count > 0 && rows + columns.account.length > ROWS_PER_COMMIT) break;
      rows += columns.account.length;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(jobs: readonly Job[]): Promise<void> {
    for (;;) {
      await this.#lookUp(jobs);
      const resolved = this.#resolve(jobs);
      if (resolved.length === 0) return;
      try {
        const committed = resolved.every(isPlain)
          ? await this.#commitPlain(resolved)
          : await this.#database.transaction((tx) => this.#commit(tx, resolved));
        this.#engine?.hand(committed.position, committed.entries);
        for (const one of resolved) settle(one, committed.answers.get(one));
        return;
      } catch (error) {
        // Both look again: accounts have changed, or another process has just answered a key.
        const isOvertaken = error instanceof OutdatedDirectory || error instanceof UniqueViolation;
        if (!isOvertaken) throw error;
        await this.directory.load([]);
      }
    }
  }

  /** Afterwards every account of the jobs that exists is in the directory. */
  async #lookUp(jobs: readonly Job[]): Promise<void> {
    this.directory.makeRoom();
    for (;;) {
      const unknown = new Set<string>();
      for (const { columns } of jobs) {
        for (const account of columns.accounts) {
          if (!this.directory.findAgain(account)) unknown.add(account.id);
        }
      }
      const { version } = this.directory;
      if (unknown.size > 0) await this.directory.load(unknown);
      // A directory of another version has forgotten the accounts that were known before.
      if (this.directory.version === version) return;
    }
  }

  #resolve(jobs: readonly Job[]): Resolved[] {
    const resolved: Resolved[] = [];
    for (const job of jobs) {
      try {
        const batch = resolveBatch(job.columns, this.directory, job.reach, this.#now());
        resolved.push({ job, batch });
      } catch (error) {
        job.reject(error);
      }
    }
    return resolved;
  }

  /** The usual case, with nothing but snapshots to store. */
  async #commitPlain(resolved: readonly Resolved[]): Promise<Committed> {
    const receivedUtcMs = this.#now();
    const entries = this.#buildEntries(resolved, new Map(), receivedUtcMs);
    const position = await commitJournal(
      this.#database,
      receivedUtcMs,
      bodiesOf(entries),
      this.directory.version,
      this.#engine?.ownerId,
    );
    if (position === undefined) throw new OutdatedDirectory();
    return { position, entries, answers: new Map() };
  }

  /** Answers only those with a key; the others are counted when it is certain that they are in. */
  async #commit(tx: Transaction, resolved: readonly Resolved[]): Promise<Committed> {
    const answers: Committed['answers'] = new Map();
    const fresh: Resolved[] = [];
    for (const one of resolved) {
      if (one.job.idempotency) {
        const { job, batch } = one;
        const { answer, isNew } = await this.#receive(tx, one.job.idempotency, job, batch);
        answers.set(one, answer);
        if (isNew) fresh.push(one);
      } else fresh.push(one);
    }
    const receivedUtcMs = this.#now();
    const newDeals = await storeDealsOf(tx, fresh);
    const entries = this.#buildEntries(fresh, newDeals, receivedUtcMs);
    const { position, directoryVersion } = await appendJournal(
      tx,
      receivedUtcMs,
      bodiesOf(entries),
      this.#engine?.ownerId,
    );
    if (directoryVersion !== this.directory.version) throw new OutdatedDirectory();
    return { position, entries, answers };
  }

  async #receive(
    tx: Transaction,
    { key, bodyHash }: IdempotencyKey,
    { reach }: Job,
    batch: SnapshotBatch,
  ): Promise<{ answer: Ingested | ServiceError; isNew: boolean }> {
    await tx.lock(`receipt:${reach.userId}:${key}`);
    const known = await findReceipt(tx, reach.userId, key);
    if (known) {
      if (known.bodyHash !== bodyHash) return { answer: KEY_REUSED, isNew: false };
      return { answer: JSON.parse(known.answer) as Ingested, isNew: false };
    }
    const answer = { accepted: batch.columns.account.length, late: countLate(batch, true) };
    const receipt = { bodyHash, answer: JSON.stringify(answer) };
    await insertReceipt(tx, reach.userId, key, receipt, this.#now());
    return { answer, isNew: true };
  }

  #buildEntries(
    resolved: readonly Resolved[],
    newDeals: ReadonlyMap<string, Set<string>>,
    receivedUtcMs: number,
  ): Map<number, JournalEntry> {
    commits += 1;
    const builders: EntryBuilder[] = [];
    for (const { batch } of resolved) addBatch(builders, batch, newDeals);
    const entries = new Map<number, JournalEntry>();
    builders.forEach((builder, partition) => {
      entries.set(partition, builder.build(receivedUtcMs));
    });
    return entries;
  }

  async #clearReceipts(): Promise<void> {
    const nowMs = this.#now();
    if (nowMs < this.#receiptsClearedMs + RECEIPTS_CLEARED_EVERY_MS) return;
    this.#receiptsClearedMs = nowMs;
    await deleteReceipts(this.#database, nowMs - RECEIPTS_KEPT_MS);
  }
}

const KEY_REUSED = conflict('The Idempotency-Key was used with other rows');

/** Answers a request whose rows are in; those without a key were not counted yet. */
function settle({ job, batch }: Resolved, answer: Ingested | ServiceError | undefined): void {
  if (answer instanceof ServiceError) job.reject(answer);
  else if (answer) job.resolve(answer);
  else job.resolve({ accepted: batch.columns.account.length, late: countLate(batch, true) });
}

const isPlain = ({ job, batch }: Resolved): boolean =>
  job.idempotency === undefined && batch.deals.length === 0;

const bodiesOf = (entries: ReadonlyMap<number, JournalEntry>): Map<number, Uint8Array> =>
  new Map([...entries].map(([partition, entry]) => [partition, encodeEntry(entry)]));

/** Accounts were deleted or changed since they were looked up. */
class OutdatedDirectory extends Error {
  override readonly name = 'OutdatedDirectory';
}

/** Stores the deals of all rows and tells the ids, by account, that were new. Accounts in order. */
async function storeDealsOf(
  tx: Transaction,
  resolved: readonly Resolved[],
): Promise<Map<string, Set<string>>> {
  const byAccount = new Map<string, SnapshotBatch['deals'][number]['deals'][number][]>();
  for (const { batch } of resolved) {
    for (const { row, deals } of batch.deals) {
      const id = batch.accounts[batch.columns.account[row] ?? 0]?.id ?? '';
      const known = byAccount.get(id);
      if (known) known.push(...deals);
      else byAccount.set(id, [...deals]);
    }
  }
  const fresh = new Map<string, Set<string>>();
  for (const id of [...byAccount.keys()].sort()) {
    const stored = await insertNewDeals(tx, id, byAccount.get(id) ?? []);
    fresh.set(id, new Set(stored.map((deal) => deal.id)));
  }
  return fresh;
}

/** Commits that were built; accounts tell by it which one they have a place in. */
let commits = 0;

/** Adds the rows to the builders of their partitions. */
function addBatch(
  builders: EntryBuilder[],
  batch: SnapshotBatch,
  newDeals: ReadonlyMap<string, Set<string>>,
): void {
  const { columns, accounts, balance, equity, deals } = batch;
  for (const account of accounts) {
    if (account.commit === commits) continue;
    const builder = builders[account.partition] ?? new EntryBuilder();
    builders[account.partition] = builder;
    account.commit = commits;
    account.entryPlace = builder.addAccount(account.named);
  }
  let next = 0;
  for (let row = 0; row < columns.account.length; row += 1) {
    const account = accounts[columns.account[row] ?? 0];
    const builder = account && builders[account.partition];
    if (!builder) continue;
    const { id, entryPlace: place } = account;
    const at = builder.addRow(place, columns.timeMs[row] ?? 0, balance[row] ?? 0, equity[row] ?? 0);
    const own = deals[next];
    if (own?.row !== row) continue;
    next += 1;
    const unused = newDeals.get(id);
    for (const deal of own.deals) {
      // A deal that stands in two rows belongs to the first.
      if (!unused?.delete(deal.id)) continue;
      builder.addDeal([place, at, deal.id, deal.type, deal.timeMs, moneyOf(deal)]);
    }
  }
}
