import type { Row, Sql, Transaction } from './database.ts';
import { json, plain, RecordTable } from './record-table.ts';
import { type Moment, numberOf, Where } from './sql-text.ts';

/** A version of a program; its phases as they were posted, with amounts in whole currency. */
export type StoredProgram<Phases> = {
  id: string;
  version: number;
  userId: string;
  name: string;
  phases: Phases;
  createdAtMs: number;
};

const PROGRAM = new RecordTable<StoredProgram<unknown>>('program', {
  id: plain('id'),
  version: plain('version'),
  userId: plain('user_id'),
  name: plain('name'),
  phases: json('phases'),
  createdAtMs: plain('created_at_ms'),
});

/** Throws UniqueViolation if the version exists. */
export async function insertProgram<Phases>(
  tx: Transaction,
  program: StoredProgram<Phases>,
): Promise<void> {
  await PROGRAM.add(tx, program);
}

/** A version of a user's program; the newest, if none is given. */
export async function findProgram<Phases>(
  sql: Sql,
  userId: string,
  id: string,
  version?: number,
): Promise<StoredProgram<Phases> | undefined> {
  const where = new Where().equal('id', id).equal('user_id', userId).equal('version', version);
  const row = await sql.get(
    `select ${PROGRAM.list} from program where ${where} order by version desc limit 1`,
    where.params,
  );
  return row && programOf<Phases>(row);
}

/** The newest version of each of a user's programs, newest first, from before a moment. */
export async function listPrograms<Phases>(
  sql: Sql,
  userId: string,
  before: Moment | undefined,
  limit: number,
): Promise<StoredProgram<Phases>[]> {
  const where = new Where().equal('user_id', userId).before(['created_at_ms', 'id'], before);
  const rows = await sql.all(
    `select ${PROGRAM.list} from program where ${where}
       and version = (select max(version) from program as other where other.id = program.id)
     order by created_at_ms desc, id desc limit ${where.place(limit)}`,
    where.params,
  );
  return rows.map((row) => programOf<Phases>(row));
}

/** Deletes all versions of a program, and returns the bytes of their phases. */
export async function deleteProgramRow(tx: Transaction, id: string): Promise<number> {
  const bytes = await numberOf(
    tx,
    'select cast(coalesce(sum(length(phases)), 0) as bigint) as bytes from program where id = $1',
    [id],
  );
  await tx.run('delete from program where id = $1', [id]);
  return bytes;
}

const programOf = <Phases>(row: Row): StoredProgram<Phases> =>
  PROGRAM.read(row) as StoredProgram<Phases>;
