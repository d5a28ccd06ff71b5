import pg from 'pg';
import { type Fitness, readFitness } from './postgres-fitness.ts';
import { query, STATEMENT_MS } from './postgres-pool.ts';

const CONNECT_MS = 3000;

/** DATABASE_URL points to a pooler that gives each transaction another session. */
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
 * Throws SharedSessions if notifications and prepared statements would get lost on the way. Only if
 * sessions are shared can one of two open connections get the session that the other has just used.
 * Without a pooler, the first connection suffices: PostgreSQL tells it the number of its process,
 * while a pooler makes one up. Returns the database's properties.
 */
export async function checkSessions(url: string, now: () => number): Promise<Fitness> {
  const [first, second] = [connection(url), connection(url)];
  try {
    await first.connect();
    const fitness = await readFitness(first, now);
    const used = await processOf(first);
    if (used === told(first)) return fitness;
    await second.connect();
    await query(second, 'begin', undefined, STATEMENT_MS);
    if ((await processOf(second)) === used) throw new SharedSessions();
    return fitness;
  } finally {
    // Never waited for: a network that swallows packets would block here.
    for (const client of [first, second]) void client.end().catch(() => {});
  }
}

function connection(connectionString: string): pg.Client {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  return client;
}

/** The number of the process that the connection was told, which the types of pg leave out. */
const told = (client: pg.Client): number | undefined =>
  (client as { processID?: number }).processID;

/** Asked without preparing a statement, so that any pooler lets it through. */
async function processOf(client: pg.Client): Promise<number> {
  const sql = 'select pg_backend_pid()::int as process';
  return Number((await query(client, sql, undefined, STATEMENT_MS)).rows[0]?.process);
}
