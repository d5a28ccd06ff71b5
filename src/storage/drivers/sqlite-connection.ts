import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  DatabaseUnavailable,
  type Row,
  type Sql,
  type SqlParameter,
  UniqueViolation,
} from '../database.ts';

const CACHED_STATEMENTS = 500;
/** Of a new file. Most of what is stored are blobs of many pages: fewer of them are fewer calls. */
const PAGE_BYTES = 8192;
/** Pages of the log before it is written back (32 MB): short-lived rows then never are. */
const WAL_PAGES = 4000;
/** So much of the file is read through the system's own cache, without a copy: as much as it can. */
const MAPPED_BYTES = 2 ** 31 - 65_536;

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

/** One connection to a file, whose statements are done when their calls return. */
export class SqliteConnection implements Sql {
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

/** Somebody else holds the file. */
export class FileBusy extends DatabaseUnavailable {
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
