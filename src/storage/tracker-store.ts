import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { PeriodStatistics } from '../domain/live/live-records.ts';
import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import { changeCatalogue } from './catalogue-store.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { allIn, inSlices, tuples } from './sql-text.ts';

type TrackerRow = Row & { id: string; account_id: string; name: string; definition: string };

/** Throws UniqueViolation when the account has a tracker of that name. */
export async function insertTracker(
  tx: Transaction,
  accountId: string,
  { id, name, ...definition }: TrackerDefinition,
  createdAtMs: number,
): Promise<void> {
  await tx.run(
    `insert into tracker (id, account_id, name, definition, removed, created_at_ms)
     values ($1, $2, $3, $4, 0, $5)`,
    [id, accountId, name, JSON.stringify(definition), createdAtMs],
  );
}

export async function findTracker(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<TrackerDefinition | undefined> {
  const row = await sql.get<TrackerRow>(
    'select * from tracker where id = $1 and account_id = $2 and removed = 0',
    [id, accountId],
  );
  return row && definitionOf(row);
}

export async function findTrackerByName(
  sql: Sql,
  accountId: string,
  name: string,
): Promise<TrackerDefinition | undefined> {
  const row = await sql.get<TrackerRow>(
    'select * from tracker where account_id = $1 and name = $2 and removed = 0',
    [accountId, name],
  );
  return row && definitionOf(row);
}

/** In the order of their creation. */
export async function listTrackers(sql: Sql, accountId: string): Promise<TrackerDefinition[]> {
  const rows = await sql.all<TrackerRow>(
    'select * from tracker where account_id = $1 and removed = 0 order by created_at_ms, id',
    [accountId],
  );
  return rows.map(definitionOf);
}

/** Definitions by account for the fold, those included whose removal is not folded yet. */
export async function readDefinitions(
  sql: Sql,
  accountIds: readonly string[],
): Promise<Map<string, TrackerDefinition[]>> {
  const found = new Map<string, TrackerDefinition[]>();
  const rows = await allIn<TrackerRow>(
    sql,
    accountIds,
    (ids) => `select * from tracker where account_id in (${ids})`,
  );
  for (const row of rows) {
    const definitions = found.get(row.account_id);
    if (definitions) definitions.push(definitionOf(row));
    else found.set(row.account_id, [definitionOf(row)]);
  }
  return found;
}

/** Throws UniqueViolation when another tracker of the account has that name. */
export async function renameTracker(tx: Transaction, id: string, name: string): Promise<void> {
  await tx.run('update tracker set name = $2 where id = $1', [id, name]);
  await changeCatalogue(tx);
}

/** Hides a tracker; the fold deletes it when it comes to its removal. */
export async function hideTracker(tx: Transaction, id: string): Promise<void> {
  await tx.run('update tracker set removed = 1 where id = $1', [id]);
  await changeCatalogue(tx);
}

export async function deleteTracker(tx: Transaction, id: string): Promise<void> {
  await tx.run('delete from tracker where id = $1 and removed = 1', [id]);
  await tx.run('delete from period_statistics where tracker_id = $1', [id]);
}

export async function deleteTrackers(tx: Transaction, accountId: string): Promise<void> {
  await tx.run('delete from tracker where account_id = $1', [accountId]);
  await changeCatalogue(tx);
}

export async function countTrackers(sql: Sql, accountId: string): Promise<number> {
  const row = await sql.get<{ trackers: number }>(
    'select count(*) as trackers from tracker where account_id = $1',
    [accountId],
  );
  return row?.trackers ?? 0;
}

/** Writes completed periods; one that is there already is replaced. */
export async function writePeriods(
  tx: Transaction,
  periods: readonly PeriodStatistics[],
): Promise<void> {
  await inSlices(periods, async (slice) => {
    await tx.run(
      `insert into period_statistics (tracker_id, start_time_ms, account_id, record)
       values ${tuples(slice.length, 4)}
       on conflict (tracker_id, start_time_ms) do update set record = excluded.record`,
      slice.flatMap((period) => [
        period.trackerId,
        period.startTimeMs,
        period.accountId,
        JSON.stringify(period),
      ]),
    );
  });
}

/** Completed periods that start at or before a time, newest first. */
export async function readPeriods(
  sql: Sql,
  trackerId: string,
  untilMs: BrokerTimeMs,
  limit: number,
): Promise<PeriodStatistics[]> {
  const rows = await sql.all<{ record: string }>(
    `select record from period_statistics where tracker_id = $1 and start_time_ms <= $2
     order by start_time_ms desc limit $3`,
    [trackerId, untilMs, limit],
  );
  return rows.map(({ record }) => JSON.parse(record) as PeriodStatistics);
}

const definitionOf = (row: TrackerRow): TrackerDefinition => ({
  id: row.id,
  name: row.name,
  ...(JSON.parse(row.definition) as Omit<TrackerDefinition, 'id' | 'name'>),
});
