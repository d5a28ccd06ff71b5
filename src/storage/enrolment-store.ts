import { actionsOf } from '../domain/programs/phase-trackers.ts';
import type { EnrolmentDefinition } from '../domain/programs/program-definition.ts';
import { noteChange, trackerKey } from './change-store.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { allIn, numberOf, Where } from './sql-text.ts';
import { deleteTrackerActions, insertTrackerActions } from './tracker-action-store.ts';

/** An account in a phase (counted from 1) of a version of a program. */
export type StoredEnrolment = {
  accountNumber: number;
  programId: string;
  version: number;
  phase: number;
  definition: EnrolmentDefinition;
  createdAtMs: number;
};

type EnrolmentRow = Row & {
  account_number: number;
  program_id: string;
  version: number;
  phase: number;
  definition: string;
  created_at_ms: number;
};

const COLUMNS = 'account_number, program_id, version, phase, definition, created_at_ms';

export async function insertEnrolment(tx: Transaction, enrolment: StoredEnrolment): Promise<void> {
  const { accountNumber, programId, version, phase, definition, createdAtMs } = enrolment;
  await tx.run(
    `insert into enrolment
       (account_number, id, program_id, version, phase, definition, created_at_ms)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[accountNumber, definition.id, programId, version, phase],
      ...[JSON.stringify(definition), createdAtMs],
    ],
  );
  for (const { trackerId, actions } of actionsOf(definition)) {
    await insertTrackerActions(tx, accountNumber, trackerId, actions);
  }
  noteChange(tx, 'tracker', trackerKey(accountNumber, definition.id));
}

/** Ends the enrolment's actions: those that a breach would start, and those not done yet. */
export async function endEnrolmentActions(
  tx: Transaction,
  { accountNumber, definition }: StoredEnrolment,
): Promise<void> {
  for (const { trackerId } of actionsOf(definition)) {
    await deleteTrackerActions(tx, accountNumber, trackerId);
  }
}

export async function findEnrolment(
  sql: Sql,
  accountNumber: number,
  id: string,
): Promise<StoredEnrolment | undefined> {
  const row = await sql.get<EnrolmentRow>(
    `select ${COLUMNS} from enrolment where account_number = $1 and id = $2`,
    [accountNumber, id],
  );
  return row && enrolmentOf(row);
}

/** In order of creation. */
export async function listEnrolments(sql: Sql, accountNumber: number): Promise<StoredEnrolment[]> {
  const rows = await sql.all<EnrolmentRow>(
    `select ${COLUMNS} from enrolment where account_number = $1 order by created_at_ms, id`,
    [accountNumber],
  );
  return rows.map(enrolmentOf);
}

/**
 * A page of the enrolments in a program, newest first, and how many there are; only of accounts
 * with these numbers, if any are given.
 */
export async function listProgramEnrolments(
  sql: Sql,
  programId: string,
  accountNumbers: ReadonlySet<number> | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; enrolments: StoredEnrolment[] }> {
  const where = new Where()
    .equal('enrolment.program_id', programId)
    .oneOf('account.number', accountNumbers);
  const from = `from enrolment join account on account.number = enrolment.account_number
    where ${where}`;
  const total = await numberOf(sql, `select count(*) ${from}`, where.params);
  const rows = await sql.all<EnrolmentRow>(
    `select enrolment.* ${from}
     order by enrolment.created_at_ms desc, enrolment.account_number, enrolment.id
     limit ${where.place(limit)} offset ${where.place(offset)}`,
    where.params,
  );
  return { total, enrolments: rows.map(enrolmentOf) };
}

/**
 * How many enrolments each program of a user has had; only of accounts with these numbers, if any
 * are given. A program without any is left out.
 */
export async function countProgramEnrolments(
  sql: Sql,
  { userId, accountNumbers }: { userId: string; accountNumbers: ReadonlySet<number> | undefined },
  programIds: readonly string[],
): Promise<Map<string, number>> {
  const where = new Where()
    .equal('account.user_id', userId)
    .oneOf('account.number', accountNumbers)
    .oneOf('program_id', programIds);
  const rows = await sql.all<Row & { program_id: string; enrolments: number }>(
    `select program_id, count(*) as enrolments
       from enrolment join account on account.number = enrolment.account_number
      where ${where} group by program_id limit ${where.place(programIds.length)}`,
    where.params,
  );
  return new Map(rows.map(({ program_id, enrolments }) => [program_id, enrolments]));
}

/** Definitions by account for the fold, including those that have ended. */
export async function readEnrolmentDefinitions(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<Map<number, EnrolmentDefinition[]>> {
  const rows = await allIn<EnrolmentRow>(
    sql,
    accountNumbers,
    (list) =>
      `select ${COLUMNS} from enrolment where account_number in (${list})
       order by created_at_ms, id`,
  );
  const byAccount = Map.groupBy(rows.map(enrolmentOf), ({ accountNumber }) => accountNumber);
  return new Map(
    [...byAccount].map(([number, own]) => [number, own.map(({ definition }) => definition)]),
  );
}

/** Whether an existing account has ever been in a program. */
export async function isProgramUsed(sql: Sql, programId: string): Promise<boolean> {
  const row = await sql.get(
    `select 1 as used from enrolment join account on account.number = enrolment.account_number
     where program_id = $1 limit 1`,
    [programId],
  );
  return row !== undefined;
}

const enrolmentOf = (row: EnrolmentRow): StoredEnrolment => ({
  accountNumber: row.account_number,
  programId: row.program_id,
  version: row.version,
  phase: row.phase,
  definition: JSON.parse(row.definition) as EnrolmentDefinition,
  createdAtMs: row.created_at_ms,
});
