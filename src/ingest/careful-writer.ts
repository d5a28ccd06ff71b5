import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Journal, Staged } from '../journal/journal.ts';
import { holdAccount } from '../storage/account-store.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { findReceipt, insertReceipt } from '../storage/receipt-store.ts';
import type { CheckedRows } from './checked-rows.ts';
import { CommitDraft, rowsPerCommit } from './commit-draft.ts';
import { Rejection } from './rejection.ts';
import { insertNewDeals } from './store-deals.ts';

export type Ingested = { accepted: number; late: number };
export type IdempotencyKey = { key: string; bodyHash: string };

/** The sender, and the accounts that the token reaches; undefined if it reaches all. */
export type Sender = { userId: string; accountNumbers: ReadonlySet<number> | undefined };

/** A request whose rows are checked. */
export type Job = {
  sender: Sender;
  rows: CheckedRows;
  idempotency: IdempotencyKey | undefined;
  resolve: (answer: Ingested) => void;
  reject: (error: unknown) => void;
};

/** The most deals in one transaction. */
const DEALS_PER_TRANSACTION = 500;
/** How many transactions run at a time, each of a different user. */
const USERS_AT_ONCE = 4;

type Written = {
  draft: CommitDraft;
  staged: Staged[];
  answers: (Ingested | Rejection)[];
};

/**
 * Makes snapshots durable that have deals or an idempotency key: in transactions, in order for each
 * user, with several users at a time. A request with very many rows or deals takes several
 * transactions, each of them durable: if it is sent again, parts already stored change nothing.
 */
export class CarefulWriter {
  readonly #database: Database;
  readonly #journal: Journal;
  readonly #time: Timekeeper;
  readonly #waiting = new Map<string, Job[]>();
  readonly #running = new Set<string>();
  readonly #maxRows: number;

  constructor(parts: { database: Database; journal: Journal; time: Timekeeper }) {
    this.#database = parts.database;
    this.#journal = parts.journal;
    this.#maxRows = rowsPerCommit(parts.journal);
    this.#time = parts.time;
  }

  add(job: Job): void {
    const { userId } = job.sender;
    const queue = this.#waiting.get(userId);
    if (queue) queue.push(job);
    else this.#waiting.set(userId, [job]);
    this.#run();
  }

  /**
   * The answer to an earlier request with this key and body; undefined if there was none. Waits
   * until its data is in the journal: the process that stored it may have died before that.
   */
  async answerTo(userId: string, { key, bodyHash }: IdempotencyKey): Promise<Ingested | undefined> {
    const receipt = await findReceipt(this.#database, userId, key);
    if (receipt?.bodyHash !== bodyHash) return undefined;
    await this.#journal.release([]);
    return JSON.parse(receipt.answer) as Ingested;
  }

  #run(): void {
    for (const [userId, jobs] of this.#waiting) {
      if (this.#running.size >= USERS_AT_ONCE) return;
      if (this.#running.has(userId)) continue;
      this.#waiting.delete(userId);
      this.#running.add(userId);
      this.#writeAll(jobs).finally(() => {
        this.#running.delete(userId);
        this.#run();
      });
    }
  }

  async #writeAll(jobs: Job[]): Promise<void> {
    while (jobs.length > 0) {
      const batch = takeBatch(jobs, this.#maxRows);
      try {
        const [first] = batch;
        if (first && this.#isLarge(first)) await this.#writeLarge(first);
        else await this.#writeTogether(batch);
      } catch (error) {
        for (const job of batch) job.reject(error);
      }
    }
  }

  #isLarge(job: Job): boolean {
    return job.rows.rowCount > this.#maxRows || dealsIn(job) > DEALS_PER_TRANSACTION;
  }

  async #writeTogether(jobs: readonly Job[]): Promise<void> {
    const written = await this.#database.transaction((tx) => this.#store(tx, jobs));
    await this.#journal.release(written.staged);
    written.draft.settle();
    jobs.forEach((job, index) => {
      const answer = written.answers[index];
      if (answer instanceof Rejection) job.reject(answer);
      else if (answer) job.resolve(answer);
    });
  }

  async #store(tx: Transaction, jobs: readonly Job[]): Promise<Written> {
    const known = await this.#readReceipts(tx, jobs);
    const gone = await missingAccounts(tx, jobs);
    const fresh = jobs.filter((job) => !known.has(job) && !gone.has(job));
    const newDeals = await storeDeals(tx, fresh, 0, Number.POSITIVE_INFINITY);
    const draft = new CommitDraft(this.#journal.partitions);
    const answers: Written['answers'] = [];
    for (const job of jobs) {
      const { rows } = job;
      const answer = known.get(job) ?? (gone.has(job) ? accountGone() : undefined);
      if (answer) answers.push(answer);
      else {
        const accepted = rows.rowCount;
        answers.push({ accepted, late: draft.add(rows, 0, accepted, newDeals) });
        await this.#keepReceipt(tx, job, answers.at(-1));
      }
    }
    if (fresh.length === 0) return { draft, answers, staged: [] };
    const staged = await this.#journal.stage(tx, draft.build(this.#time.now()));
    return { draft, answers, staged: [staged] };
  }

  /** Writes a request in parts; the last one stores the key. */
  async #writeLarge(job: Job): Promise<void> {
    const total = { accepted: job.rows.rowCount, late: 0 };
    for (let from = 0; from < total.accepted; ) {
      const to = endOfPart(job.rows, from, this.#maxRows);
      const written = await this.#database.transaction(async (tx) => {
        const known = (await this.#readReceipts(tx, [job])).get(job);
        if (known) return known;
        if ((await missingAccounts(tx, [job])).size > 0) return accountGone();
        const newDeals = await storeDeals(tx, [job], from, to);
        const draft = new CommitDraft(this.#journal.partitions);
        const late = draft.add(job.rows, from, to, newDeals);
        const staged = await this.#journal.stage(tx, draft.build(this.#time.now()));
        const answer = { accepted: total.accepted, late: total.late + late };
        if (to === total.accepted) await this.#keepReceipt(tx, job, answer);
        return { draft, staged, late };
      });
      if (written instanceof Rejection) return job.reject(written);
      const isKnown = 'accepted' in written;
      await this.#journal.release(isKnown ? [] : [written.staged]);
      if (isKnown) return job.resolve(written);
      written.draft.settle();
      total.late += written.late;
      from = to;
    }
    job.resolve(total);
  }

  /** Answers requests whose keys are known. Locks keys in order, which prevents deadlocks. */
  async #readReceipts(
    tx: Transaction,
    jobs: readonly Job[],
  ): Promise<Map<Job, Ingested | Rejection>> {
    const answers = new Map<Job, Ingested | Rejection>();
    const keyed = jobs.flatMap((job) => (job.idempotency ? [{ job, ...job.idempotency }] : []));
    for (const { job, key, bodyHash } of keyed.sort((a, b) => (a.key < b.key ? -1 : 1))) {
      const { userId } = job.sender;
      await tx.lock(`receipt:${userId}:${key}`);
      const receipt = await findReceipt(tx, userId, key);
      if (receipt?.bodyHash === bodyHash) answers.set(job, JSON.parse(receipt.answer) as Ingested);
      else if (receipt) answers.set(job, keyReused());
    }
    return answers;
  }

  async #keepReceipt(
    tx: Transaction,
    { sender, idempotency }: Job,
    answer: Ingested | Rejection | undefined,
  ): Promise<void> {
    if (!idempotency) return;
    const { key, bodyHash } = idempotency;
    const receipt = { bodyHash, answer: JSON.stringify(answer) };
    await insertReceipt(tx, sender.userId, key, receipt, this.#time.now());
  }
}

const keyReused = (): Rejection =>
  new Rejection('keyReused', 'The Idempotency-Key was used with other rows');
const accountGone = (): Rejection =>
  new Rejection('unknownAccount', 'An account of these snapshots was just deleted');

const dealsIn = ({ rows }: Job): number =>
  rows.deals.reduce((sum, { deals }) => sum + deals.length, 0);

/** Takes jobs from the front that fit into one transaction, at least one; each key only once. */
function takeBatch(jobs: Job[], maxRows: number): Job[] {
  let rows = 0;
  let deals = 0;
  let count = 0;
  const keys = new Set<string>();
  for (const job of jobs) {
    rows += job.rows.rowCount;
    deals += dealsIn(job);
    const key = job.idempotency?.key;
    const isFull =
      rows > maxRows || deals > DEALS_PER_TRANSACTION || (key !== undefined && keys.has(key));
    if (count > 0 && isFull) break;
    if (key !== undefined) keys.add(key);
    count += 1;
  }
  return jobs.splice(0, count);
}

function endOfPart({ deals, rowCount }: CheckedRows, from: number, maxRows: number): number {
  const most = Math.min(from + maxRows, rowCount);
  let count = 0;
  for (const { row, deals: own } of deals) {
    if (row < from) continue;
    if (row >= most) break;
    count += own.length;
    if (count > DEALS_PER_TRANSACTION && row > from) return row;
  }
  return most;
}

/** Locks the accounts of deals, in order of their numbers; returns the jobs that lack one. */
async function missingAccounts(tx: Transaction, jobs: readonly Job[]): Promise<Set<Job>> {
  const jobsOf = new Map<number, Job[]>();
  for (const job of jobs) {
    for (const number of new Set(job.rows.deals.map(({ row }) => numberOf(job.rows, row)))) {
      jobsOf.set(number, [...(jobsOf.get(number) ?? []), job]);
    }
  }
  const gone = new Set<Job>();
  for (const number of [...jobsOf.keys()].sort((a, b) => a - b)) {
    if (await holdAccount(tx, number)) continue;
    for (const job of jobsOf.get(number) ?? []) gone.add(job);
  }
  return gone;
}

/** Stores the deals of the rows in [from, to); returns the new ids, by account. */
async function storeDeals(
  tx: Transaction,
  jobs: readonly Job[],
  from: number,
  to: number,
): Promise<Map<number, Set<string>>> {
  const byAccount = new Map<number, CheckedRows['deals'][number]['deals'][number][]>();
  for (const { rows } of jobs) {
    for (const { row, deals } of rows.deals) {
      if (row < from || row >= to) continue;
      const number = numberOf(rows, row);
      const known = byAccount.get(number);
      if (known) known.push(...deals);
      else byAccount.set(number, [...deals]);
    }
  }
  const fresh = new Map<number, Set<string>>();
  for (const number of [...byAccount.keys()].sort((a, b) => a - b)) {
    const stored = await insertNewDeals(tx, number, byAccount.get(number) ?? []);
    fresh.set(number, new Set(stored.map((deal) => deal.id)));
  }
  return fresh;
}

const numberOf = ({ accounts, account }: CheckedRows, row: number): number =>
  accounts[account[row] ?? 0]?.number ?? 0;
