import { RecentMap } from '../../domain/recent-map.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import {
  insertOutbox,
  type OutboxRow,
  readLastWaiting,
  readSettled,
  readWaiting,
  settlePosition,
} from '../../storage/journal-outbox-store.ts';
import { SharedQuestion } from '../../storage/shared-question.ts';
import type { Publisher } from './publisher.ts';
import type { StreamMessage } from './stream.ts';

const ROWS_PER_READ = 20;
const RETRY_MS = 500;
/** How many rows' positions are remembered. */
const MAX_SETTLED = 10_000;

const PREFIX = 'outbox-';
const messageIdOf = (row: number): string => `${PREFIX}${row}`;
const rowOf = ({ id }: StreamMessage): number | undefined =>
  id.startsWith(PREFIX) ? Number(id.slice(PREFIX.length)) : undefined;

/**
 * Publishes commits that were stored in the database, in the same transaction as their data, to the
 * stream, in the order of their rows. Any process publishes any row, so no row waits for a process
 * that died. No locks are needed: a row's message has the same id whoever sends it. If a copy comes
 * so late that the stream has forgotten the id, the row itself says which copy counts.
 */
export class Outbox {
  readonly #database: Database;
  readonly #publisher: Publisher;
  readonly #time: Timekeeper;
  /** Called when a row has got its position. */
  readonly #landed: (row: number, position: number) => void;
  readonly #settled = new RecentMap<number, number>(MAX_SETTLED);
  readonly #drains = new SharedQuestion(() => this.#drain());
  #cancelRetry: (() => void) | undefined;
  #hasLeftovers = false;
  #isClosed = false;

  constructor(parts: {
    database: Database;
    publisher: Publisher;
    time: Timekeeper;
    landed: (row: number, position: number) => void;
  }) {
    this.#database = parts.database;
    this.#publisher = parts.publisher;
    this.#time = parts.time;
    this.#landed = parts.landed;
  }

  /** True if some rows may be unpublished: nothing may overtake these. */
  get hasLeftovers(): boolean {
    return this.#hasLeftovers;
  }

  add(tx: Transaction, body: Uint8Array): Promise<number> {
    return insertOutbox(tx, body);
  }

  /** Resolves when all rows that were committed before the call are in the stream. */
  drain(): Promise<void> {
    return this.#drains.ask();
  }

  /** The messages to ignore: copies of rows whose valid message is at another position. */
  async copiesAmong(messages: readonly StreamMessage[]): Promise<Set<StreamMessage>> {
    const rows = messages.flatMap((message) => {
      const row = rowOf(message);
      return row === undefined ? [] : [{ row, message }];
    });
    const unknown = rows.filter(({ row }) => this.#settled.get(row) === undefined);
    if (unknown.length > 0) await this.#learn(unknown);
    const copies = rows.filter(({ row, message }) => this.#settled.get(row) !== message.sequence);
    return new Set(copies.map(({ message }) => message));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
  }

  /** Looks up the positions of rows; one without gets the first position seen by any process. */
  async #learn(unknown: readonly { row: number; message: StreamMessage }[]): Promise<void> {
    const known = await readSettled(
      this.#database,
      unknown.map(({ row }) => row),
    );
    for (const { row, message } of unknown) {
      const settled =
        known.get(row) ??
        this.#settled.get(row) ??
        (await settlePosition(this.#database, row, message.sequence));
      // A missing row has been folded by all, at another position than this.
      this.#settled.set(row, settled ?? GONE);
    }
  }

  async #drain(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    try {
      const last = await readLastWaiting(this.#database);
      if (last !== undefined) await this.#bringUpTo(last);
      this.#hasLeftovers = false;
    } catch (error) {
      this.#hasLeftovers = true;
      this.#retry();
      throw error;
    }
  }

  async #bringUpTo(last: number): Promise<void> {
    for (;;) {
      const rows = await readWaiting(this.#database, last, ROWS_PER_READ);
      if (rows.length === 0) return;
      await this.#bring(rows);
    }
  }

  async #bring(rows: readonly OutboxRow[]): Promise<void> {
    const brought: { id: number; sequence: number }[] = [];
    try {
      for (const { id, body } of rows) {
        brought.push({ id, sequence: await this.#publisher.share(messageIdOf(id), body) });
      }
    } finally {
      for (const { id, sequence } of brought) {
        const settled = await settlePosition(this.#database, id, sequence);
        this.#settled.set(id, settled ?? GONE);
        if (settled !== undefined) this.#landed(id, settled);
      }
    }
  }

  #retry(): void {
    if (this.#isClosed) return;
    this.#cancelRetry ??= this.#time.after(RETRY_MS, () => {
      this.#cancelRetry = undefined;
      this.drain().catch(() => {});
    });
  }
}

/** A position that no message has. */
const GONE = -1;
