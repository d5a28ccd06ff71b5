import pg from 'pg';
import {
  type Channel,
  type Database,
  DatabaseUnavailable,
  type Row,
  type SqlValue,
  type Transaction,
  UniqueViolation,
} from './database.ts';
import { PostgresListener } from './postgres-listener.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Statements that may wait for a connection before new ones are told to come back later. */
const MAX_WAITING = 5000;

/** BIGINT as number: every integer that Plimsoll stores is a safe one. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text'),
};

/** PostgreSQL behind a pool of connections; statements are prepared once on each. */
export function openPostgres(url: string, onLost: (error: Error) => void = () => {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    types,
  });
  pool.on('error', onLost);
  // A connection may report its end in the moment between two users, and must not be unheard then:
  // its next statement fails all the same.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDatabase(pool, new PostgresListener(url, onLost));
}

type Queryable = Pick<pg.ClientBase, 'query'>;

class PostgresDatabase implements Database {
  readonly kind = 'postgres';
  readonly #pool: pg.Pool;
  readonly #listener: PostgresListener;

  constructor(pool: pg.Pool, listener: PostgresListener) {
    this.#pool = pool;
    this.#listener = listener;
  }

  async all<T extends Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]> {
    return (await query<T>(this.#admitted(), sql, params)).rows;
  }

  async get<T extends Row>(sql: string, params?: readonly SqlValue[]): Promise<T | undefined> {
    return (await query<T>(this.#admitted(), sql, params)).rows[0];
  }

  async run(sql: string, params?: readonly SqlValue[]): Promise<number> {
    return (await query(this.#admitted(), sql, params)).rowCount ?? 0;
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await connect(this.#admitted());
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await query(client, 'begin');
      const result = await work(transactionOn(client));
      await query(client, 'commit');
      return result;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) broken ??= error;
      else await query(client, 'rollback').catch((cause: Error) => onError(cause));
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  listen(channel: Channel, heard: (payload: string) => void): () => void {
    return this.#listener.listen(channel, heard);
  }

  async close(): Promise<void> {
    await this.#listener.close();
    await this.#pool.end();
  }

  #admitted(): pg.Pool {
    if (this.#pool.waitingCount >= MAX_WAITING) {
      throw new DatabaseUnavailable('Too many statements are waiting for the database');
    }
    return this.#pool;
  }
}

function transactionOn(client: pg.PoolClient): Transaction {
  return {
    kind: 'postgres',
    all: async <T extends Row>(sql: string, params?: readonly SqlValue[]) =>
      (await query<T>(client, sql, params)).rows,
    get: async <T extends Row>(sql: string, params?: readonly SqlValue[]) =>
      (await query<T>(client, sql, params)).rows[0],
    run: async (sql, params) => (await query(client, sql, params)).rowCount ?? 0,
    lock: async (key) => {
      await query(client, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
    },
    tryLock: async (key) => {
      const sql = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0))::int as taken';
      return (await query(client, sql, [key])).rows[0]?.taken === 1;
    },
    script: async (sql) => {
      await attempt(client.query(sql));
    },
    notify: async (channel, payload) => {
      await query(client, 'select pg_notify($1, $2)', [channel, payload]);
    },
  };
}

/** Names of prepared statements; the statements of the code are few, so this stays small. */
const statementNames = new Map<string, string>();
const PREPARED_STATEMENTS = 1000;

function nameOf(sql: string): string | undefined {
  const known = statementNames.get(sql);
  if (known || statementNames.size >= PREPARED_STATEMENTS) return known;
  const name = `p${statementNames.size}`;
  statementNames.set(sql, name);
  return name;
}

async function query<T extends Row>(
  on: Queryable,
  sql: string,
  params: readonly SqlValue[] = [],
): Promise<pg.QueryResult<T>> {
  const values = params.map((value) =>
    value instanceof Uint8Array && !Buffer.isBuffer(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : value,
  );
  const name = nameOf(sql);
  return attempt(on.query<T>(name ? { name, text: sql, values } : { text: sql, values }));
}

const connect = (pool: pg.Pool): Promise<pg.PoolClient> => attempt(pool.connect());

async function attempt<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw translate(error);
  }
}

const UNIQUE_VIOLATION = '23505';
/** Classes 08 connection, 53 resources, 57 operator intervention, and 25006 read-only standby. */
const UNAVAILABLE = /^(?:08|53|57|25006)/;
const NETWORK = /^E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_)/;

function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === UNIQUE_VIOLATION) {
    const constraint = 'constraint' in error ? String(error.constraint) : '';
    return new UniqueViolation(constraint, { cause: error });
  }
  const lost = /Connection terminated|timeout exceeded|Client has encountered|after calling end/;
  if (UNAVAILABLE.test(code) || NETWORK.test(code) || lost.test(error.message)) {
    return new DatabaseUnavailable(error.message, { cause: error });
  }
  return error;
}
