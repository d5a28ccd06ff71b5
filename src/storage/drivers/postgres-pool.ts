import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnavailable, type Row, type SqlParameter, UniqueViolation } from '../database.ts';
import { afterArrivals } from './after-arrivals.ts';
import { ConnectionTurns } from './connection-turns.ts';

/** How long a statement may take by default: a request must be answered within 5 s. */
export const STATEMENT_MS = 3500;
/** A live server ends a statement that takes too long; after this it counts as silent. */
const GRACE_MS = 700;
const CONNECT_MS = 3000;
/** The part of all connections that one owner may hold at a time. */
const SHARE_OF_ONE = 0.3;
/** Kept open even if idle, so that others cannot take all connections of PostgreSQL. */
const LEAST_CONNECTIONS = 2;
/** While PostgreSQL has no more connections: when to try for another one, or for the first. */
const MORE_AFTER_MS = 10_000;
const FIRST_AFTER_MS = 50;
/** Statements that may wait for a connection before new ones are refused. */
const MAX_WAITING = 5000;
/** How often a database that does not answer is asked again. */
const PROBE_EVERY_MS = 500;
/** The routine of PostgreSQL in which a commit waits for a standby, as its warnings name it. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/** BIGINT as number: every integer that Plimsoll stores is a safe integer. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text'),
};

/**
 * Connections that are used in turns. A database that takes statements and never answers (a frozen
 * host, a network that swallows packets) is detected by the first statement that runs out of time.
 * Then all connections are given up, and all callers fail at once, until a separate connection gets
 * an answer again.
 */
export class PostgresPool {
  readonly #connections: number;
  readonly #url: string;
  readonly #onLost: (error: Error) => void;
  readonly #turns: ConnectionTurns;
  #pool: pg.Pool;
  #silence: DatabaseUnavailable | undefined;
  /** Rejects running statements when silence is detected. */
  #giveUp = new AbortController();
  #probe: NodeJS.Timeout | undefined;
  /** Runs while PostgreSQL is assumed to have no more connections. */
  #scarcity: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, onLost: (error: Error) => void, connections: number) {
    this.#connections = connections;
    this.#url = url;
    this.#onLost = onLost;
    const share = Math.ceil(connections * SHARE_OF_ONE);
    this.#turns = new ConnectionTurns(connections, share, CONNECT_MS);
    this.#pool = this.#makePool();
  }

  /**
   * Runs `work` on a connection when it is the owner's turn. It must use the connection only
   * through `query` of this file.
   */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>, owner?: string): Promise<T> {
    if (this.#silence) throw this.#silence;
    if (this.#turns.waiting >= MAX_WAITING) {
      throw new DatabaseUnavailable('Too many statements are waiting for the database');
    }
    const endTurn = await this.#turns.take(owner, this.#giveUp.signal);
    try {
      return await this.#onConnection(work);
    } finally {
      endTurn();
    }
  }

  async #onConnection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    const client = await this.#connect();
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    // PostgreSQL reports the commit as done, though a failover may lose it.
    const onNotice = ({ routine }: { routine?: string | undefined }): void => {
      if (routine !== STANDBY_WAIT) return;
      broken = new DatabaseUnavailable('A commit was cancelled while it waited for the standby');
    };
    client.on('error', onError);
    client.on('notice', onNotice);
    try {
      const result = await untilAborted(this.#giveUp.signal, work(client));
      if (broken instanceof DatabaseUnavailable) throw broken;
      return result;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) broken ??= error;
      if (error instanceof Error && isPlanBroken(error)) {
        broken ??= error;
        this.#renew(pool);
      }
      if (error instanceof DatabaseSilent) this.#fallSilent(error);
      throw error;
    } finally {
      client.off('error', onError);
      client.off('notice', onNotice);
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#probe);
    clearTimeout(this.#scarcity);
    await this.#pool.end();
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#silence) throw this.#silence;
    const lastMs = performance.now() + CONNECT_MS;
    for (;;) {
      const connecting = this.#pool.connect();
      try {
        return await untilAborted(this.#giveUp.signal, connecting);
      } catch (error) {
        // A connection that was given up may still open, without a user.
        connecting.then(
          (client) => client.release(true),
          () => {},
        );
        if (codeOf(error) !== NO_MORE_CONNECTIONS) throw translate(error);
        if (performance.now() >= lastMs) throw translate(error);
        await this.#makeDo();
      }
    }
  }

  /** PostgreSQL gives no more connections: use the existing ones until it may give more. */
  async #makeDo(): Promise<void> {
    const pool = this.#pool;
    pool.options.max = Math.max(1, pool.totalCount);
    if (!this.#scarcity) {
      this.#onLost(new DatabaseUnavailable(SCARCE));
      this.#scarcity = setTimeout(() => {
        this.#scarcity = undefined;
        pool.options.max = this.#connections;
      }, MORE_AFTER_MS).unref();
    }
    if (pool.totalCount === 0) await sleep(FIRST_AFTER_MS);
  }

  #makePool(): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.#url,
      max: this.#connections,
      min: Math.min(LEAST_CONNECTIONS, this.#connections),
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      types,
    });
    pool.on('error', this.#onLost);
    // A connection may report its end between two users; without a listener that would end the
    // process. Its next statement fails anyway.
    pool.on('connect', (client) => {
      client.on('error', () => {});
      // The connection takes statements in order, so these come before all others. Statements are
      // short: compiling one takes PostgreSQL longer than running it.
      client.query(`set statement_timeout = ${STATEMENT_MS}; set jit = off`).catch(() => {});
    });
    return pool;
  }

  /** Connections whose prepared statements are for an older schema are no longer used. */
  #renew(pool: pg.Pool): void {
    if (this.#pool !== pool || this.#isClosed) return;
    this.#pool = this.#makePool();
    void pool.end().catch(() => {});
  }

  #fallSilent(error: DatabaseSilent): void {
    if (this.#silence || this.#isClosed) return;
    this.#silence = error;
    this.#onLost(error);
    const abandoned = this.#pool;
    this.#giveUp.abort(error);
    this.#giveUp = new AbortController();
    this.#pool = this.#makePool();
    // Its connections end as their users release them.
    void abandoned.end().catch(() => {});
    this.#planProbe();
  }

  #planProbe(): void {
    this.#probe = setTimeout(() => {
      const client = new pg.Client({
        connectionString: this.#url,
        connectionTimeoutMillis: CONNECT_MS,
        types,
      });
      client.on('error', () => {});
      const answered = client.connect().then(() => query(client, 'select 1', [], CONNECT_MS));
      answered
        .then(
          () => {
            this.#silence = undefined;
          },
          () => {
            if (!this.#isClosed) this.#planProbe();
          },
        )
        .finally(() => void client.end().catch(() => {}));
    }, PROBE_EVERY_MS);
    this.#probe.unref();
  }
}

/** The database took a statement and did not answer in time. */
class DatabaseSilent extends DatabaseUnavailable {
  override readonly name = 'DatabaseSilent';
}

/** Settles like the promise, or rejects with the signal's reason if that comes first. */
function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Names of prepared statements; the code has few statements, so this stays small. */
const statementNames = new Map<string, string>();
const PREPARED_STATEMENTS = 1000;

function nameOf(sql: string): string | undefined {
  const known = statementNames.get(sql);
  if (known || statementNames.size >= PREPARED_STATEMENTS) return known;
  const name = `p${statementNames.size}`;
  statementNames.set(sql, name);
  return name;
}

/**
 * Runs a statement, or without `params` several as one message. Throws DatabaseUnavailable if it is
 * not answered in time: the connection must not be used afterwards.
 */
export async function query<T extends Row>(
  client: Pick<pg.ClientBase, 'query'>,
  sql: string,
  params: readonly SqlParameter[] | undefined,
  withinMs: number,
): Promise<pg.QueryResult<T>> {
  let callOff: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void =>
      reject(new DatabaseSilent(`The database did not answer within ${withinMs} ms`));
    callOff = afterArrivals(withinMs + GRACE_MS, giveUp);
  });
  try {
    return await Promise.race([send<T>(client, sql, params), late]);
  } catch (error) {
    throw translate(error);
  } finally {
    callOff?.();
  }
}

function send<T extends Row>(
  client: Pick<pg.ClientBase, 'query'>,
  sql: string,
  params: readonly SqlParameter[] | undefined,
): Promise<pg.QueryResult<T>> {
  if (!params) return client.query<T>(sql);
  const values = params.map((value) =>
    Array.isArray(value) ? value.map(bufferOf) : bufferOf(value),
  );
  const name = nameOf(sql);
  return client.query<T>(name ? { name, text: sql, values } : { text: sql, values });
}

/** The driver wants bytes as Buffer. */
const bufferOf = (value: SqlParameter): unknown =>
  value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value;

const UNIQUE_VIOLATION = '23505';
/** Serialisation failure and deadlock. */
const CONFLICT = /^(?:40001|40P01)$/;
const NO_MORE_CONNECTIONS = '53300';
const SCARCE =
  'PostgreSQL has no free connections, so requests take turns on a few: ' +
  'raise its max_connections; each Plimsoll process takes up to 20';
/** Classes 08 connection, 53 resources, 57 operator intervention, and 25P03 ended while idle. */
const UNAVAILABLE = /^(?:08|53|57|25006|25P03)/;
const NETWORK = /^E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_)/;
const LOST =
  /Connection terminated|timeout expired|timeout exceeded|Client has encountered|after calling end/;

/** Whether work may succeed if it is run again: on another connection, or after others. */
export const isConflict = (error: unknown): boolean =>
  CONFLICT.test(codeOf(error)) || isPlanBroken(error);

/** A statement was prepared before another version changed the columns of its answer. */
const isPlanBroken = (error: unknown): boolean =>
  codeOf(error) === '0A000' &&
  error instanceof Error &&
  'routine' in error &&
  error.routine === 'RevalidateCachedQuery';

/** The error code of PostgreSQL or the system; empty if there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const code = codeOf(error);
  if (code === UNIQUE_VIOLATION) {
    const constraint = 'constraint' in error ? String(error.constraint) : '';
    return new UniqueViolation(constraint, { cause: error });
  }
  if (UNAVAILABLE.test(code) || NETWORK.test(code) || LOST.test(error.message)) {
    return new DatabaseUnavailable(error.message, { cause: error });
  }
  return error;
}
