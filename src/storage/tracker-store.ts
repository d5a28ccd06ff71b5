import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { PeriodStatistics } from '../domain/live/live-records.ts';
import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import { noteChange, trackerKey } from './change-store.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { allIn, inSlices, numberOf, tuples } from './sql-text.ts';
import { deleteTrackerActions, insertTrackerActions } from './tracker-action-store.ts';

const COLUMNS = 'account_number, id, name, definition';

type TrackerRow = Row & { account_number: number; id: string; name: string; definition: string };

/** Throws UniqueViolation if the account has a tracker of that name. */
export async function insertTracker(
  tx: Transaction,
  accountNumber: number,
  { id, name, ...definition }: TrackerDefinition,
  createdAtMs: number,
): Promise<void> {
  await tx.run(
    `insert into tracker (account_number, id, name, definition, removed, created_at_ms)
     values ($1, $2, $3, $4, 0, $5)`,
    [accountNumber, id, name, JSON.stringify(definition), createdAtMs],
  );
  await insertTrackerActions(tx, accountNumber, id, definition.actions ?? []);
  noteChange(tx, 'tracker', trackerKey(accountNumber, id));
}

export async function findTracker(
  sql: Sql,
  accountNumber: number,
  id: string,
): Promise<TrackerDefinition | undefined> {
  const row = await sql.get<TrackerRow>(
    `select ${COLUMNS} from tracker where account_number = $1 and id = $2 and removed = 0`,
    [accountNumber, id],
  );
  return row && definitionOf(row);
}

export async function findTrackerByName(
  sql: Sql,
  accountNumber: number,
  name: string,
): Promise<TrackerDefinition | undefined> {
  const row = await sql.get<TrackerRow>(
    `select ${COLUMNS} from tracker where account_number = $1 and name = $2 and removed = 0`,
    [accountNumber, name],
  );
  return row && definitionOf(row);
}

/** In order of creation. */
export async function listTrackers(sql: Sql, accountNumber: number): Promise<TrackerDefinition[]> {
  const rows = await sql.all<TrackerRow>(
    `select ${COLUMNS} from tracker where account_number = $1 and removed = 0 order by created_at_ms, id`,
    [accountNumber],
  );
  return rows.map(definitionOf);
}

/** Definitions by account for the fold, including those whose removal is not folded yet. */
export async function readDefinitions(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<Map<number, TrackerDefinition[]>> {
  const rows = await allIn<TrackerRow>(
    sql,
    accountNumbers,
    (list) =>
      `select ${COLUMNS} from tracker where account_number in (${list}) order by created_at_ms, id`,
  );
  const found = new Map<number, TrackerDefinition[]>();
  for (const row of rows) {
    const definitions = found.get(row.account_number);
    if (definitions) definitions.push(definitionOf(row));
    else found.set(row.account_number, [definitionOf(row)]);
  }
  return found;
}

/** Throws UniqueViolation if another tracker of the account has that name. */
export async function renameTrackerRow(
  tx: Transaction,
  accountNumber: number,
  id: string,
  name: string,
): Promise<void> {
  await tx.run('update tracker set name = $3 where account_number = $1 and id = $2', [
    accountNumber,
    id,
    name,
  ]);
  noteChange(tx, 'tracker', trackerKey(accountNumber, id));
}

/** Hides a tracker and ends its actions; the checkpoint that includes its removal deletes it. */
export async function hideTracker(
  tx: Transaction,
  accountNumber: number,
  id: string,
): Promise<void> {
  await tx.run('update tracker set removed = 1 where account_number = $1 and id = $2', [
    accountNumber,
    id,
  ]);
  await deleteTrackerActions(tx, accountNumber, id);
  noteChange(tx, 'tracker', trackerKey(accountNumber, id));
}

/** Deletes a hidden tracker and its periods. */
export async function deleteTrackerRow(
  tx: Transaction,
  accountNumber: number,
  id: string,
): Promise<void> {
  const key = [accountNumber, id];
  await tx.run('delete from tracker where account_number = $1 and id = $2 and removed = 1', key);
  await tx.run('delete from period_statistics where account_number = $1 and tracker_id = $2', key);
}

export const countTrackers = (sql: Sql, accountNumber: number): Promise<number> =>
  numberOf(sql, 'select count(*) as trackers from tracker where account_number = $1', [
    accountNumber,
  ]);

/** A completed period of a tracker of an account. */
export type StoredPeriod = { accountNumber: number; period: PeriodStatistics };

/** Writes completed periods, replacing existing ones. They must be distinct. */
export async function writePeriods(
  tx: Transaction,
  periods: readonly StoredPeriod[],
): Promise<void> {
  await inSlices(periods, async (slice) => {
    await tx.run(
      `insert into period_statistics (account_number, tracker_id, start_time_ms, record)
       values ${tuples(slice.length, 4)}
       on conflict (account_number, tracker_id, start_time_ms)
       do update set record = excluded.record`,
      slice.flatMap(({ accountNumber, period }) => [
        accountNumber,
        period.trackerId,
        period.startTimeMs,
        JSON.stringify(period),
      ]),
    );
  });
}

/** Completed periods that start at or before a time, newest first. */
export async function readPeriods(
  sql: Sql,
  accountNumber: number,
  trackerId: string,
  untilMs: BrokerTimeMs,
  limit: number,
): Promise<PeriodStatistics[]> {
  const rows = await sql.all<{ record: string }>(
    `select record from period_statistics
     where account_number = $1 and tracker_id = $2 and start_time_ms <= $3
     order by start_time_ms desc limit $4`,
    [accountNumber, trackerId, untilMs, limit],
  );
  return rows.map(({ record }) => JSON.parse(record) as PeriodStatistics);
}

const definitionOf = (row: TrackerRow): TrackerDefinition => ({
  id: row.id,
  name: row.name,
  ...(JSON.parse(row.definition) as Omit<TrackerDefinition, 'id' | 'name'>),
});
