import type pg from 'pg';
import { query, STATEMENT_MS } from './postgres-pool.ts';

const LEAST_VERSION = 15;

/** Properties of a PostgreSQL database for users of DATABASE_URL. */
export type Fitness = {
  /** 15 of 15.4. */
  version: number;
  encoding: string;
  /** The schema of tables; null if search_path names no existing schema. */
  schema: string | null;
  role: string;
  name: string;
  mayCreate: boolean;
  isReadOnly: boolean;
  /** Connections available to ordinary roles, and used ones. */
  connections: number;
  taken: number;
  /** The database's clock, and when it was read. */
  clockMs: number;
  askedMs: number;
};

/** DATABASE_URL leads to a database that Plimsoll cannot work with. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase';
}

/** Reads all with one question, without preparing a statement: any pooler lets it through. */
export async function readFitness(client: pg.ClientBase, now: () => number): Promise<Fitness> {
  const askedMs = now();
  const { rows } = await query<Record<string, string | number | null>>(
    client,
    `select current_setting('server_version_num')::int / 10000 as version,
       current_setting('server_encoding') as encoding, current_schema()::text as schema,
       current_user::text as role, current_database()::text as name,
       coalesce(has_schema_privilege(current_schema(), 'create'), false)::int as may_create,
       (current_setting('transaction_read_only') = 'on' or pg_is_in_recovery())::int as read_only,
       current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int as connections,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as taken,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as clock`,
    undefined,
    STATEMENT_MS,
  );
  const row = rows[0] ?? {};
  return {
    version: Number(row.version),
    encoding: String(row.encoding),
    schema: row.schema === null ? null : String(row.schema),
    ...{ role: String(row.role), name: String(row.name) },
    ...{ mayCreate: row.may_create === 1, isReadOnly: row.read_only === 1 },
    ...{ connections: Number(row.connections), taken: Number(row.taken) },
    clockMs: Number(row.clock),
    askedMs: (askedMs + now()) / 2,
  };
}

/** Reasons why Plimsoll cannot use it, each with a remedy. */
export function unfitness(fitness: Fitness): string[] {
  const { version, encoding, schema, role, name, mayCreate, isReadOnly } = fitness;
  const faults: string[] = [];
  if (version < LEAST_VERSION) {
    faults.push(`it is PostgreSQL ${version}: use ${LEAST_VERSION} or later`);
  }
  if (encoding !== 'UTF8') {
    faults.push(
      `its encoding is ${encoding}, which cannot store every text: make one with ` +
        `createdb -E UTF8 -T template0 -O ${role} NAME`,
    );
  }
  if (isReadOnly) {
    faults.push(
      'it is read-only, like a standby: use the address of the server that accepts changes',
    );
  } else if (schema === null) {
    faults.push(`the search_path of ${role} names no schema that is there: use public, or make it`);
  } else if (!mayCreate) {
    faults.push(
      `${role} may not make tables in its schema ${schema}: ` +
        `alter database "${name}" owner to "${role}", or createdb -O ${role} NAME`,
    );
  }
  return faults;
}

export function requireFit(fitness: Fitness): void {
  const faults = unfitness(fitness);
  if (faults.length > 0) {
    throw new UnfitDatabase(
      `DATABASE_URL leads to a database that Plimsoll cannot use: ${faults.join('; ')}`,
    );
  }
}
