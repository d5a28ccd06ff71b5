import pg from 'pg';
import { query, STATEMENT_MS } from './postgres-pool.ts';

const CONNECT_MS = 3000;

/** DATABASE_URL leads to a pooler that gives each transaction another session. */
export class SharedSessions extends Error {
  override readonly name = 'SharedSessions';
  constructor() {
    super(
      'DATABASE_URL points to a pooler that shares sessions, such as PgBouncer in transaction mode: ' +
        'Plimsoll listens to the database and prepares its statements. ' +
        'Use pool_mode=session for its database, or the address of PostgreSQL itself',
    );
  }
}

/**
 * Throws SharedSessions where notifications and prepared statements would get lost on the way. Of
 * two connections that are open at a time, one gets the session that the other has just used: this
 * can only be where sessions are shared. Without a pooler that is seen at the first look:
 * PostgreSQL tells a new connection the number of its process, and a pooler tells one that it made
 * up.
 */
export async function checkSessions(url: string): Promise<void> {
  const [first, second] = [connection(url), connection(url)];
  try {
    await first.connect();
    const used = await processOf(first);
    if (used === told(first)) return;
    await second.connect();
    await query(second, 'begin', undefined, STATEMENT_MS);
    if ((await processOf(second)) === used) throw new SharedSessions();
  } finally {
    // Never waited for: a network that swallows packets would keep us here.
    for (const client of [first, second]) void client.end().catch(() => {});
  }
}

function connection(connectionString: string): pg.Client {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  return client;
}

/** The number of the process as the connection was told; the types of pg leave it out. */
const told = (client: pg.Client): number | undefined =>
  (client as { processID?: number }).processID;

/** Asked in words, not prepared, so that any pooler lets it through. */
async function processOf(client: pg.Client): Promise<number> {
  const sql = 'select pg_backend_pid()::int as process';
  return Number((await query(client, sql, undefined, STATEMENT_MS)).rows[0]?.process);
}
