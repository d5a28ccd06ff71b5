import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Channel,
  type Database,
  DatabaseUnavailable,
  type Row,
  type Sql,
  type SqlParameter,
  type Transaction,
  type TransactionOptions,
  UniqueViolation,
} from '../database.ts';
import { LogSync } from './sqlite-log-sync.ts';

/** Writers that may wait for their turn before new ones are told to come back later. */
const MAX_WAITING_WRITERS = 10_000;
/** Another process, such as an import on the command line, may hold the file: how long to try. */
const BUSY_PATIENCE_MS = 3000;
const BUSY_RETRY_MS = 2;
const CACHED_STATEMENTS = 500;
/** Of a new file. Most of what is stored are blobs of many pages: fewer of them are fewer calls. */
const PAGE_BYTES = 8192;
/** Pages of the log before it is written back (32 MB): short-lived rows then never are. */
const WAL_PAGES = 4000;
/** So much of the file is read through the system's own cache, without a copy: as much as it can. */
const MAPPED_BYTES = 2 ** 31 - 65_536;

/**
 * SQLite in a folder: one connection that writes, in turns, and one that reads what is committed.
 * A transaction is on disk when its promise resolves: SQLite writes its log without waiting for the
 * disk, and then the log is synchronised here, for all transactions that wait, while the process
 * goes on. A power cut takes whole transactions from the log's end, none of them answered.
 */
export function openSqlite(folder: string): Database {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'plimsoll.db');
  const writer = new Connection(file);
  const reader = new Connection(file);
  // What changes something goes through the writer, in its turn.
  reader.exec('pragma query_only = on');
  return new SqliteDatabase(writer, reader, new LogSync(`${file}-wal`));
}

/**
 * Keeps a second server off the folder. The lock is one of the operating system on a file of its
 * own: it dies with the process, however that ends. Other commands may still use the database.
 */
export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const holder = new DatabaseSync(join(folder, 'server.lock'));
  try {
    holder.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    holder.close();
    throw new FolderInUse(folder, { cause: error });
  }
  writeFileSync(join(folder, 'server.pid'), `${process.pid}\n`);
  return { release: () => holder.close() };
}

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  constructor(folder: string, options?: ErrorOptions) {
    super(`Another Plimsoll server is running on the data folder ${folder}`, options);
  }
}

/**
 * Parameters in SQLite's writing: by number, or plain where each stands once and in order. The driver
 * asks for the name of each one that it binds, and a number is a name that is looked for among all.
 */
function withPlaces(sql: string): string {
  let count = 0;
  let isInOrder = true;
  const numbered = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
    count += 1;
    isInOrder &&= Number(number) === count;
    return `?${number}`;
  });
  return isInOrder ? numbered.replaceAll(/\?\d+/g, '?') : numbered;
}

class Connection implements Sql {
  readonly kind = 'sqlite';
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    this.#database.exec(
      // The file being busy must never stop the process: whoever begins waits beside it.
      `pragma busy_timeout = 0; pragma page_size = ${PAGE_BYTES};
       pragma journal_mode = wal; pragma synchronous = normal;
       pragma wal_autocheckpoint = ${WAL_PAGES}; pragma mmap_size = ${MAPPED_BYTES}`,
    );
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
    const statement = this.#database.prepare(withPlaces(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}

class SqliteDatabase implements Database {
  readonly kind = 'sqlite';
  readonly isShared = false;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #channels = new EventEmitter().setMaxListeners(0);
  readonly #log: LogSync;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #closed = false;

  constructor(writer: Connection, reader: Connection, log: LogSync) {
    this.#writer = writer;
    this.#reader = reader;
    this.#log = log;
  }

  async all<T extends Row>(sql: string, params?: readonly SqlParameter[]): Promise<T[]> {
    return this.#openReader().all<T>(sql, params);
  }

  async get<T extends Row>(sql: string, params?: readonly SqlParameter[]): Promise<T | undefined> {
    return this.#openReader().get<T>(sql, params);
  }

  run(sql: string, params?: readonly SqlParameter[]): Promise<number> {
    return this.transaction((tx) => tx.run(sql, params));
  }

  /** The time for a statement is no matter here: each is done when its call returns. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, _options?: TransactionOptions): Promise<T> {
    if (this.#closed) return Promise.reject(closed());
    if (this.#waiting >= MAX_WAITING_WRITERS) {
      return Promise.reject(new DatabaseUnavailable('Too many writers are waiting'));
    }
    this.#waiting += 1;
    const committed = this.#turn.then(() => this.#inTransaction(work));
    this.#turn = committed.catch(() => {});
    return this.#onDisk(committed);
  }

  async #onDisk<T>(committed: Promise<T>): Promise<T> {
    const result = await committed;
    await this.#log.synchronise();
    return result;
  }

  announce(channel: Channel, payload: string): void {
    setImmediate(() => this.#channels.emit(channel, payload));
  }

  get failure(): string | undefined {
    return this.#log.failure;
  }

  listen(channel: Channel, heard: (payload: string) => void): () => void {
    this.#channels.on(channel, heard);
    return () => this.#channels.off(channel, heard);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
    await this.#log.close();
    this.#reader.close();
    this.#writer.close();
  }

  async #inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#waiting -= 1;
    const { failure } = this.#log;
    if (failure) throw new DatabaseUnavailable(failure);
    const writer = this.#writer;
    await begin(writer);
    try {
      const result = await work(transactionOn(writer));
      writer.exec('commit');
      return result;
    } catch (error) {
      // A full disk ends the transaction by itself.
      if (writer.isInTransaction) writer.exec('rollback');
      throw error;
    }
  }

  #openReader(): Connection {
    if (this.#closed) throw closed();
    return this.#reader;
  }
}

const closed = (): DatabaseUnavailable => new DatabaseUnavailable('The database is closed');

async function begin(writer: Connection): Promise<void> {
  const lastMs = performance.now() + BUSY_PATIENCE_MS;
  for (;;) {
    try {
      writer.exec('begin immediate');
      return;
    } catch (error) {
      if (!(error instanceof FileBusy) || performance.now() >= lastMs) throw error;
      await sleep(BUSY_RETRY_MS);
    }
  }
}

const transactionOn = (writer: Connection): Transaction => ({
  kind: 'sqlite',
  all: (sql, params) => writer.all(sql, params),
  get: (sql, params) => writer.get(sql, params),
  run: (sql, params) => writer.run(sql, params),
  lock: async () => {},
  tryLock: async () => true,
  script: async (sql) => writer.exec(sql),
});

class FileBusy extends DatabaseUnavailable {
  override readonly name = 'FileBusy';
}

const BUSY = 5;
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
  if ([READ_ONLY, IO_ERROR, FULL].includes(primaryCode)) {
    return new DatabaseUnavailable(error.message, { cause: error });
  }
  return error;
}
