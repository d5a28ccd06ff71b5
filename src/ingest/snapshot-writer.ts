import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import type { Journal } from '../journal/journal.ts';
import type { Database } from '../storage/database.ts';
import {
  CarefulWriter,
  type IdempotencyKey,
  type Ingested,
  type Job,
  type Sender,
} from './careful-writer.ts';
import { checkRows } from './check-rows.ts';
import type { CheckedRows } from './checked-rows.ts';
import { CommitDraft, rowsPerCommit } from './commit-draft.ts';
import { FairQueue } from './fair-queue.ts';
import type { IngestAccounts } from './ingest-accounts.ts';
import type { SnapshotBody } from './read-snapshots.ts';
import { Rejection } from './rejection.ts';

/** The most requests and bytes of bodies that may wait for a commit; a quarter of it per user. */
const MAX_WAITING_REQUESTS = 4096;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
const SHARE_OF_ONE = 4;
/** How many rows one user gets into a commit before the next user has a turn. */
const ROWS_PER_TURN = 500;

/** A request of plain snapshots, and its progress: a large one is written in parts. */
type Plain = { job: Job; taken: number; late: number };
/** The rows in [from, to) of a request. */
type Part = { plain: Plain; from: number; to: number };

/**
 * Makes snapshots durable. Plain ones that arrive while a commit runs share the next, with users
 * taking turns; a request that exceeds a commit is spread over several and answered when the last
 * is durable. Requests with deals or an idempotency key go through separate transactions, in order
 * for each user, with several users at a time, so that a large one holds up no other user.
 */
export class SnapshotWriter {
  readonly #journal: Journal;
  readonly #time: Timekeeper;
  readonly #accounts: IngestAccounts;
  readonly #maxRequests: number;
  readonly #maxBytes: number;
  readonly #waiting = { requests: 0, bytes: 0 };
  readonly #waitingOf = new Map<string, { requests: number; bytes: number }>();
  readonly #plain = new FairQueue<Plain>();
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

  /** Bytes of bodies whose rows are being checked or wait for their commit. */
  get waitingBytes(): number {
    return this.#waiting.bytes;
  }

  /** Resolves when the rows are durable. Throws Rejection. */
  async write(
    body: SnapshotBody,
    sender: Sender,
    bytes: number,
    idempotency?: IdempotencyKey,
  ): Promise<Ingested> {
    this.#count(sender.userId, 1, bytes);
    try {
      const rows = await this.#check(body, sender);
      return await new Promise((resolve, reject) => {
        this.#enqueue({ sender, rows, idempotency, resolve, reject });
      });
    } catch (error) {
      // A repeated request may fail although the first succeeded, because an account has been
      // deleted since.
      if (!(error instanceof Rejection && idempotency)) throw error;
      const answer = await this.#careful.answerTo(sender.userId, idempotency);
      if (!answer) throw error;
      return answer;
    } finally {
      this.#count(sender.userId, -1, -bytes);
    }
  }

  async #check(body: SnapshotBody, { userId, accountNumbers }: Sender): Promise<CheckedRows> {
    const found = await this.#accounts.find(userId, body.ids);
    return checkRows(body, found, accountNumbers, this.#time.now());
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
    this.#plain.add(job.sender.userId, { job, taken: 0, late: 0 });
    if (!this.#isCommitting) void this.#commitPlain();
  }

  async #commitPlain(): Promise<void> {
    this.#isCommitting = true;
    while (!this.#plain.isEmpty) {
      // Requests that arrive in this turn of the event loop share a commit, after a commit as well:
      // clients that were answered send their next.
      await sleep(this.#time, 0);
      const parts = this.#takeParts();
      try {
        const draft = new CommitDraft(this.#journal.partitions);
        for (const { plain, from, to } of parts) {
          plain.late += draft.add(plain.job.rows, from, to, NO_DEALS);
        }
        await this.#journal.append(draft.build(this.#time.now()));
        draft.settle();
        for (const { plain, to } of parts) {
          const accepted = plain.job.rows.rowCount;
          if (to === accepted) plain.job.resolve({ accepted, late: plain.late });
        }
      } catch (error) {
        for (const { plain } of parts) {
          this.#plain.drop(plain.job.sender.userId, plain);
          plain.job.reject(error);
        }
      }
    }
    this.#isCommitting = false;
  }

  /** Takes the rows for one commit: some of each user, until it is full. */
  #takeParts(): Part[] {
    const parts: Part[] = [];
    const most = rowsPerCommit(this.#journal);
    for (let rows = 0; rows < most; ) {
      const plain = this.#plain.take();
      if (!plain) break;
      const from = plain.taken;
      const { sender, rows: own } = plain.job;
      const to = Math.min(from + ROWS_PER_TURN, own.rowCount);
      plain.taken = to;
      parts.push({ plain, from, to });
      rows += to - from;
      if (to < own.rowCount) this.#plain.putBack(sender.userId, plain);
    }
    return parts;
  }
}

const NO_DEALS: ReadonlyMap<number, Set<string>> = new Map();
