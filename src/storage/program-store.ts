import type { Row, Sql, Transaction } from './database.ts';

/** A version of a program; its phases as they were posted, with amounts in whole currency. */
export type StoredProgram<Phases> = {
  id: string;
  version: number;
  userId: string;
  name: string;
  phases: Phases;
  createdAtMs: number;
};

type ProgramRow = Row & {
  id: string;
  version: number;
  user_id: string;
  name: string;
  phases: string;
  created_at_ms: number;
};

/** Throws UniqueViolation when there is that version. */
export async function insertProgram<Phases>(
  tx: Transaction,
  { id, version, userId, name, phases, createdAtMs }: StoredProgram<Phases>,
): Promise<void> {
  await tx.run(
    `insert into program (id, version, user_id, name, phases, created_at_ms)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, version, userId, name, JSON.stringify(phases), createdAtMs],
  );
}

/** A version of a user's program, the newest one where none is given. */
export async function findProgram<Phases>(
  sql: Sql,
  userId: string,
  id: string,
  version?: number,
): Promise<StoredProgram<Phases> | undefined> {
  const row = await sql.get<ProgramRow>(
    `select * from program where id = $1 and user_id = $2
       ${version === undefined ? '' : 'and version = $3'}
     order by version desc limit 1`,
    version === undefined ? [id, userId] : [id, userId, version],
  );
  return row && programOf<Phases>(row);
}

/** The newest versions of a user's programs, in the order of these. */
export async function listPrograms<Phases>(
  sql: Sql,
  userId: string,
): Promise<StoredProgram<Phases>[]> {
  const rows = await sql.all<ProgramRow>(
    `select * from program where user_id = $1
       and version = (select max(version) from program as other where other.id = program.id)
     order by created_at_ms, id`,
    [userId],
  );
  return rows.map((row) => programOf<Phases>(row));
}

/** Deletes all versions of a program. */
export async function deleteProgram(tx: Transaction, id: string): Promise<void> {
  await tx.run('delete from program where id = $1', [id]);
}

const programOf = <Phases>(row: ProgramRow): StoredProgram<Phases> => ({
  id: row.id,
  version: row.version,
  userId: row.user_id,
  name: row.name,
  phases: JSON.parse(row.phases) as Phases,
  createdAtMs: row.created_at_ms,
});
