import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Channel,
  type Database,
  DatabaseUnavailable,
  type Row,
  type SqlParameter,
  type Transaction,
  type TransactionOptions,
} from '../database.ts';
import { inFolder, makeFolder } from './make-folder.ts';
import { FileBusy, SqliteConnection } from './sqlite-connection.ts';
import { LogSync } from './sqlite-log-sync.ts';
import { WriteBack } from './sqlite-write-back.ts';
import { type BareTransaction, withEnd } from './with-end.ts';

/** Writers that may wait for their turn before new ones are refused. */
const MAX_WAITING_WRITERS = 10_000;
/** How long to try while another process, such as an import command, holds the file. */
const BUSY_PATIENCE_MS = 3000;
const BUSY_RETRY_MS = 2;

/**
 * SQLite in a folder: one connection that writes, in turns, and one that reads what is committed.
 * A transaction is on disk when its promise resolves: SQLite writes its log without waiting for the
 * disk, and the log is then synchronised here, for all waiting transactions at once, while the
 * process goes on. A power cut loses whole transactions at the log's end, none of them answered.
 */
export function openSqlite(folder: string): Database {
  makeFolder(folder);
  return inFolder(folder, () => {
    const file = join(folder, 'plimsoll.db');
    const writer = new SqliteConnection(file);
    const reader = new SqliteConnection(file);
    // Changes go through the writer, in turn.
    reader.exec('pragma query_only = on');
    const log = new LogSync(`${file}-wal`);
    return new SqliteDatabase(writer, reader, log, new WriteBack(file, writer));
  });
}

/**
 * Keeps a second server out of the folder, by a lock of the operating system on a separate file: it
 * ends with the process, however that ends. Other commands may still use the database.
 */
export function lockFolder(folder: string): { release(): void } {
  makeFolder(folder);
  const holder = inFolder(folder, () => new DatabaseSync(join(folder, 'server.lock')));
  try {
    holder.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    holder.close();
    inFolder(folder, () => {
      if (!isLocked(error)) throw error;
    });
    throw new FolderInUse(folder, { cause: error });
  }
  inFolder(folder, () => writeFileSync(join(folder, 'server.pid'), `${process.pid}\n`));
  return { release: () => holder.close() };
}

const LOCKED = 5;
const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === LOCKED;

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  constructor(folder: string, options?: ErrorOptions) {
    super(`Another Plimsoll server is running on the data folder ${folder}`, options);
  }
}

class SqliteDatabase implements Database {
  readonly kind = 'sqlite';
  readonly isShared = false;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #channels = new EventEmitter().setMaxListeners(0);
  readonly #log: LogSync;
  readonly #writeBack: WriteBack;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #closed = false;

  constructor(
    writer: SqliteConnection,
    reader: SqliteConnection,
    log: LogSync,
    writeBack: WriteBack,
  ) {
    this.#writer = writer;
    this.#reader = reader;
    this.#log = log;
    this.#writeBack = writeBack;
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

  /** Each statement is done when its call returns: only the first may have to wait for others. */
  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { statementMs = BUSY_PATIENCE_MS }: TransactionOptions = {},
  ): Promise<T> {
    if (this.#closed) return Promise.reject(closed());
    if (this.#waiting >= MAX_WAITING_WRITERS) {
      return Promise.reject(new DatabaseUnavailable('Too many writers are waiting'));
    }
    this.#waiting += 1;
    const committed = this.#turn.then(() => this.#inTransaction(work, statementMs));
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
    await this.#writeBack.close();
    this.#reader.close();
    this.#writer.close();
  }

  async #inTransaction<T>(work: (tx: Transaction) => Promise<T>, patienceMs: number): Promise<T> {
    this.#waiting -= 1;
    const { failure } = this.#log;
    if (failure) throw new DatabaseUnavailable(failure);
    const writer = this.#writer;
    await begin(writer, patienceMs);
    let result: T;
    try {
      result = await withEnd(transactionOn(writer), work);
      writer.exec('commit');
    } catch (error) {
      try {
        rollBack(writer);
      } catch {
        // The caller must get the work's own error. The next transaction rolls this one back.
      }
      throw error;
    }
    this.#writeBack.noteCommit();
    return result;
  }

  #openReader(): SqliteConnection {
    if (this.#closed) throw closed();
    return this.#reader;
  }
}

const closed = (): DatabaseUnavailable => new DatabaseUnavailable('The database is closed');

/** A full disk ends a transaction by itself. */
function rollBack(writer: SqliteConnection): void {
  if (writer.isInTransaction) writer.exec('rollback');
}

/** Throws DatabaseUnavailable, also while there is no memory to roll back earlier work. */
async function begin(writer: SqliteConnection, patienceMs: number): Promise<void> {
  rollBack(writer);
  const lastMs = performance.now() + patienceMs;
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

const transactionOn = (writer: SqliteConnection): BareTransaction => ({
  kind: 'sqlite',
  all: (sql, params) => writer.all(sql, params),
  get: (sql, params) => writer.get(sql, params),
  run: (sql, params) => writer.run(sql, params),
  lock: async () => {},
  tryLock: async () => true,
  script: async (sql) => writer.exec(sql),
});
