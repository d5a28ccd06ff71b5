import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Journal } from '../journal/journal.ts';
import type { Database } from '../storage/database.ts';
import {
  CarefulWriter,
  type IdempotencyKey,
  type Ingested,
  type Job,
  ROWS_PER_COMMIT,
  type Sender,
} from './careful-writer.ts';
import { type CheckedRows, checkRows } from './check-rows.ts';
import { CommitDraft } from './commit-draft.ts';
import type { IngestAccounts } from './ingest-accounts.ts';
import { Rejection } from './rejection.ts';
import type { SnapshotColumns } from './snapshot-columns.ts';

/** Requests, and bytes of their bodies, that may wait for a commit; of one user a quarter of it. */
const MAX_WAITING_REQUESTS = 4096;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
const SHARE_OF_ONE = 4;

/**
 * Makes snapshots durable. Plain ones that come while a commit runs share the next one, whoever
 * sends them. Those with deals or a key go through transactions of their own, each user's in order
 * and some users' at a time, so that a large one holds up nobody else.
 */
export class SnapshotWriter {
  readonly #journal: Journal;
  readonly #time: Timekeeper;
  readonly #accounts: IngestAccounts;
  readonly #maxRequests: number;
  readonly #maxBytes: number;
  readonly #waiting = { requests: 0, bytes: 0 };
  readonly #waitingOf = new Map<string, { requests: number; bytes: number }>();
  readonly #plain: Job[] = [];
  #isCommitting = false;
  readonly #careful: CarefulWriter;

  constructor(parts: {
    database: Database;
    journal: Journal;
    time: Timekeeper;
    accounts: IngestAccounts;
    maxRequests?: number;
    maxBytes?: number;
  }) {
    this.#journal = parts.journal;
    this.#time = parts.time;
    this.#accounts = parts.accounts;
    this.#maxRequests = parts.maxRequests ?? MAX_WAITING_REQUESTS;
    this.#maxBytes = parts.maxBytes ?? MAX_WAITING_BYTES;
    this.#careful = new CarefulWriter(parts);
  }

  /** Resolves when the rows are durable. Throws Rejection. */
  async write(
    columns: SnapshotColumns,
    sender: Sender,
    bytes: number,
    idempotency?: IdempotencyKey,
  ): Promise<Ingested> {
    this.#count(sender.userId, 1, bytes);
    try {
      const rows = await this.#check(columns, sender);
      return await new Promise((resolve, reject) => {
        this.#enqueue({ sender, rows, idempotency, resolve, reject });
      });
    } catch (error) {
      // Sent again it may be refused, as an account of it has gone since: it was done all the same.
      if (!(error instanceof Rejection && idempotency)) throw error;
      const answer = await this.#careful.answerTo(sender.userId, idempotency);
      if (!answer) throw error;
      return answer;
    } finally {
      this.#count(sender.userId, -1, -bytes);
    }
  }

  async #check(columns: SnapshotColumns, { userId, accountIds }: Sender): Promise<CheckedRows> {
    const found = await this.#accounts.find(userId, columns.ids);
    return checkRows(columns, found, accountIds, this.#time.now());
  }

  #count(userId: string, requests: number, bytes: number): void {
    const own = this.#waitingOf.get(userId) ?? { requests: 0, bytes: 0 };
    if (requests > 0) {
      const isFull = (waiting: typeof own, share: number): boolean =>
        waiting.requests * share >= this.#maxRequests ||
        (waiting.bytes > 0 && (waiting.bytes + bytes) * share > this.#maxBytes);
      if (isFull(this.#waiting, 1) || isFull(own, SHARE_OF_ONE)) {
        throw new Rejection('busy', 'Too many snapshots are waiting: send them again later');
      }
    }
    for (const waiting of [own, this.#waiting]) {
      waiting.requests += requests;
      waiting.bytes += bytes;
    }
    if (own.requests > 0) this.#waitingOf.set(userId, own);
    else this.#waitingOf.delete(userId);
  }

  #enqueue(job: Job): void {
    if (job.idempotency || job.rows.deals.length > 0) {
      this.#careful.add(job);
      return;
    }
    this.#plain.push(job);
    if (this.#isCommitting) return;
    this.#isCommitting = true;
    // What arrives in this turn of the event loop goes together.
    this.#time.after(0, () => void this.#commitPlain());
  }

  async #commitPlain(): Promise<void> {
    while (this.#plain.length > 0) {
      const jobs = this.#takePlain();
      try {
        const draft = new CommitDraft(this.#journal.partitions);
        const late = jobs.map(({ rows }) => draft.add(rows, 0, rows.account.length, NO_DEALS));
        await this.#journal.append(draft.build(this.#time.now()));
        draft.settle();
        jobs.forEach(({ rows, resolve }, index) => {
          resolve({ accepted: rows.account.length, late: late[index] ?? 0 });
        });
      } catch (error) {
        for (const job of jobs) job.reject(error);
      }
    }
    this.#isCommitting = false;
  }

  #takePlain(): Job[] {
    let rows = 0;
    let count = 0;
    for (const job of this.#plain) {
      rows += job.rows.account.length;
      if (count > 0 && rows > ROWS_PER_COMMIT) break;
      count += 1;
    }
    return this.#plain.splice(0, count);
  }
}

const NO_DEALS: ReadonlyMap<number, Set<string>> = new Map();
