import type { EnrolmentTransition } from '../domain/programs/enrolment-transition.ts';
import type { Row, Sql } from './database.ts';
import { allIn } from './sql-text.ts';

/** A change of an enrolment, with its event number if it has one yet, and that of its cause. */
export type StoredTransition = {
  sequenceNumber: number | undefined;
  cause: number | undefined;
  transition: EnrolmentTransition;
};

/** The changes of all enrolments of some accounts, in order for each enrolment. */
export async function readTransitions(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<EnrolmentTransition[]> {
  const rows = await allIn<Row & { record: string }>(
    sql,
    accountNumbers,
    (list) =>
      `select record from tracker_event where account_number in (${list}) and kind = 'enrolment'
       order by tracker_id, start_time_ms`,
  );
  return rows.map(({ record }) => JSON.parse(record) as EnrolmentTransition);
}

/** The changes of an account's enrolments, in order for each enrolment. */
export async function readNumberedTransitions(
  sql: Sql,
  accountNumber: number,
): Promise<StoredTransition[]> {
  const rows = await sql.all<Row & { sequence_number: number | null; record: string }>(
    `select sequence_number, record from tracker_event
     where account_number = $1 and kind = 'enrolment' order by tracker_id, start_time_ms`,
    [accountNumber],
  );
  const found: StoredTransition[] = [];
  for (const row of rows) {
    const transition = JSON.parse(row.record) as EnrolmentTransition;
    found.push({
      sequenceNumber: row.sequence_number ?? undefined,
      cause: await causeOf(sql, accountNumber, transition),
      transition,
    });
  }
  return found;
}

async function causeOf(sql: Sql, accountNumber: number, { breach }: EnrolmentTransition) {
  if (!breach) return undefined;
  const row = await sql.get<Row & { sequence_number: number | null }>(
    `select sequence_number from tracker_event
     where account_number = $1 and tracker_id = $2 and kind = 'drawdown' and start_time_ms = $3
       and round = $4`,
    [accountNumber, breach.trackerId, breach.startTimeMs, breach.round],
  );
  return row?.sequence_number ?? undefined;
}
