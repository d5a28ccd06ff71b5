import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  DatabaseUnavailable,
  type Row,
  type Sql,
  type SqlParameter,
  UniqueViolation,
} from '../database.ts';

const CACHED_STATEMENTS = 500;
/** Of a new file. Most data is blobs of many pages: larger pages take fewer calls. */
const PAGE_BYTES = 8192;
/** How long opening waits for others that open the file, and how often it looks. */
const OPENING_PATIENCE_MS = 15_000;
const OPENING_RETRY_MS = 5;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
/** A log that had to grow is cut to this size when it is restarted. */
const LOG_BYTES = 128 * 1024 * 1024;
/** How much of the file is read through the system's cache without a copy: as much as possible. */
const MAPPED_BYTES = 2 ** 31 - 65_536;

/**
 * The statement in SQLite's notation. Parameters are numbered, or plain if each occurs once and in
 * order: the driver asks for the name of each one that it binds, and SQLite searches all parameters
 * for a number. With a bare parameter as its limit, a statement would be planned again at each
 * binding, because SQLite plans for its value, but not for that of a sum.
 */
function sqliteText(sql: string): string {
  let count = 0;
  let isInOrder = true;
  const numbered = sql
    .replaceAll(/\blimit (\$\d+)/g, 'limit ($1 + 0)')
    .replaceAll(/\$(\d+)/g, (_, number: string) => {
      count += 1;
      isInOrder &&= Number(number) === count;
      return `?${number}`;
    });
  return isInOrder ? numbered.replaceAll(/\?\d+/g, '?') : numbered;
}

/**
 * One connection to a file, whose statements are done when their calls return. A busy file must
 * never block the process: transactions wait for it asynchronously, before they begin. The same
 * holds for writing back the log: see WriteBack.
 */
export class SqliteConnection implements Sql {
  readonly kind = 'sqlite';
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Throws FileBusy if others lock the file for longer than opening may wait. */
  constructor(file: string) {
    this.#database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    try {
      this.#open();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /**
   * A process that makes the file, or is the last to close it, locks it briefly, and SQLite's own
   * timeout does not cover every such lock. So here, and only here, the thread waits.
   */
  #open(): void {
    const lastMs = performance.now() + OPENING_PATIENCE_MS;
    for (;;) {
      try {
        this.exec(
          `pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal;
           pragma synchronous = normal; pragma mmap_size = ${MAPPED_BYTES};
           pragma journal_size_limit = ${LOG_BYTES};
           pragma busy_timeout = 0; pragma wal_autocheckpoint = 0`,
        );
        return;
      } catch (error) {
        if (!(error instanceof FileBusy) || performance.now() >= lastMs) throw error;
        Atomics.wait(PAUSE, 0, 0, OPENING_RETRY_MS);
      }
    }
  }

  async all<T extends Row>(sql: string, params: readonly SqlParameter[] = []): Promise<T[]> {
    return attempt(() => this.#prepare(sql).all(...(params as SQLInputValue[])) as T[]);
  }

  async get<T extends Row>(
    sql: string,
    params: readonly SqlParameter[] = [],
  ): Promise<T | undefined> {
    return attempt(() => this.#prepare(sql).get(...(params as SQLInputValue[])) as T | undefined);
  }

  async run(sql: string, params: readonly SqlParameter[] = []): Promise<number> {
    return attempt(() => Number(this.#prepare(sql).run(...(params as SQLInputValue[])).changes));
  }

  /** How many pages the log has, and how many of them are in the file, too. */
  logState(): { pages: number; writtenBack: number } {
    return attempt(() => {
      const state = this.#prepare('pragma wal_checkpoint(noop)').get();
      return { pages: Number(state?.log), writtenBack: Number(state?.checkpointed) };
    });
  }

  /** Makes statements wait for other writers; only for a thread that may block. */
  waitForWriters(withinMs: number): void {
    this.exec(`pragma busy_timeout = ${withinMs}`);
  }

  /** Writes the log back to the file, as far as no reader still needs the file without it. */
  writeBack(): void {
    this.exec('pragma wal_checkpoint(passive)');
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    attempt(() => this.#database.exec(sql));
  }

  close(): void {
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    if (this.#statements.size >= CACHED_STATEMENTS) this.#statements.clear();
    const statement = this.#database.prepare(sqliteText(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Another connection holds the file. */
export class FileBusy extends DatabaseUnavailable {
  override readonly name = 'FileBusy';
}

const BUSY = 5;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const IO_ERROR = 10;
const FULL = 13;

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw translate(error);
  }
}

function translate(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const unique = /^(?:UNIQUE|PRIMARY KEY) constraint failed: (.*)$/.exec(error.message);
  if (unique) return new UniqueViolation(unique[1] ?? '', { cause: error });
  const primaryCode = Number(error.errcode) & 0xff;
  if (primaryCode === BUSY) return new FileBusy(error.message, { cause: error });
  if ([NO_MEMORY, READ_ONLY, IO_ERROR, FULL].includes(primaryCode)) {
    return new DatabaseUnavailable(error.message, { cause: error });
  }
  return error;
}
