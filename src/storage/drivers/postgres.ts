import type pg from 'pg';
import {
  type Channel,
  type Database,
  DatabaseUnavailable,
  type Row,
  type SqlParameter,
  type Transaction,
  TransactionConflict,
  type TransactionOptions,
} from '../database.ts';
import { PostgresAnnouncer } from './postgres-announcer.ts';
import { PostgresListener } from './postgres-listener.ts';
import { isConflict, PostgresPool, query, STATEMENT_MS } from './postgres-pool.ts';
import { type BareTransaction, withEnd } from './with-end.ts';

const CONNECTIONS = 10;
/** A client that is paused or cut off within a transaction keeps its locks this long. */
const IDLE_IN_TRANSACTION_MS = 3000;
/** How often work that loses deadlocks is run. */
const ATTEMPTS = 5;

/** PostgreSQL behind a pool of connections; statements are prepared once on each. */
export function openPostgres(
  url: string,
  onLost: (error: Error) => void = () => {},
  connections = CONNECTIONS,
): Database {
  const pool = new PostgresPool(url, onLost, connections);
  return new PostgresDatabase(pool, new PostgresListener(url, onLost));
}

class PostgresDatabase implements Database {
  readonly kind = 'postgres';
  readonly isShared = true;
  readonly failure = undefined;
  readonly #pool: PostgresPool;
  readonly #listener: PostgresListener;
  readonly #announcer: PostgresAnnouncer;

  constructor(pool: PostgresPool, listener: PostgresListener) {
    this.#pool = pool;
    this.#listener = listener;
    this.#announcer = new PostgresAnnouncer(async (channel, payload) => {
      if (await listener.notify(channel, payload)) return;
      await this.run('select pg_notify($1, $2)', [channel, payload]);
    });
  }

  async all<T extends Row>(sql: string, params?: readonly SqlParameter[]): Promise<T[]> {
    return (await this.#query<T>(sql, params)).rows;
  }

  async get<T extends Row>(sql: string, params?: readonly SqlParameter[]): Promise<T | undefined> {
    return (await this.#query<T>(sql, params)).rows[0];
  }

  async run(sql: string, params?: readonly SqlParameter[]): Promise<number> {
    return (await this.#query(sql, params)).rowCount ?? 0;
  }

  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { statementMs = STATEMENT_MS, owner }: TransactionOptions = {},
  ): Promise<T> {
    return retried(() =>
      this.#pool.use((client) => inTransaction(client, work, statementMs), owner),
    );
  }

  listen(channel: Channel, heard: (payload: string) => void): () => void {
    return this.#listener.listen(channel, heard);
  }

  announce(channel: Channel, payload: string): void {
    this.#listener.tell(channel, payload);
    this.#announcer.announce(channel, payload);
  }

  async close(): Promise<void> {
    await this.#announcer.settle();
    await this.#listener.close();
    await this.#pool.close();
  }

  #query<T extends Row>(
    sql: string,
    params: readonly SqlParameter[] = [],
  ): Promise<pg.QueryResult<T>> {
    return retried(() => this.#pool.use((client) => query<T>(client, sql, params, STATEMENT_MS)));
  }
}

/** Runs work again that lost a deadlock. Throws TransactionConflict. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (attempt === ATTEMPTS) {
        throw new TransactionConflict('Other transactions are changing the same rows', {
          cause: error,
        });
      }
    }
  }
}

async function inTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<T>,
  statementMs: number,
): Promise<T> {
  // In one message; local to the transaction, because a pooler may give the session to others.
  const begin = `begin; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};
    set local statement_timeout = ${statementMs}`;
  await query(client, begin, undefined, statementMs);
  try {
    const result = await withEnd(transactionOn(client, statementMs), work);
    await commit(client, statementMs);
    return result;
  } catch (error) {
    // If the database is unavailable, the pool gives up the connection, which ends the transaction.
    if (!(error instanceof DatabaseUnavailable)) {
      await query(client, 'rollback', undefined, statementMs);
    }
    throw error;
  }
}

/**
 * PostgreSQL answers the commit of a failed transaction with a rollback, which is not an error. It
 * shows that the work went on after one of its statements had failed.
 */
async function commit(client: pg.PoolClient, statementMs: number): Promise<void> {
  const { command } = await query(client, 'commit', undefined, statementMs);
  if (command !== 'COMMIT') {
    throw new Error('Nothing was stored: the transaction went on after a statement had failed');
  }
}

const transactionOn = (client: pg.PoolClient, statementMs: number): BareTransaction => ({
  kind: 'postgres',
  all: async <T extends Row>(sql: string, params: readonly SqlParameter[] = []) =>
    (await query<T>(client, sql, params, statementMs)).rows,
  get: async <T extends Row>(sql: string, params: readonly SqlParameter[] = []) =>
    (await query<T>(client, sql, params, statementMs)).rows[0],
  run: async (sql, params = []) => (await query(client, sql, params, statementMs)).rowCount ?? 0,
  lock: async (key) => {
    const sql = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
    await query(client, sql, [key], statementMs);
  },
  tryLock: async (key) => {
    const sql = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0))::int as taken';
    return (await query(client, sql, [key], statementMs)).rows[0]?.taken === 1;
  },
  script: async (sql) => {
    await query(client, sql, undefined, statementMs);
  },
});
