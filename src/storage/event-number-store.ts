import type { Database, Sql, Transaction } from './database.ts';
import { numberOf } from './sql-text.ts';

/** Held while numbering events, to the end of the transaction. */
const LOCK = 'plimsoll:events';

/** More events than any original has after its backup; clients may hold numbers in 32 bits. */
export const NUMBERS_AHEAD = 10_000_000;

/**
 * Numbers all events from before the call. Returns the last number; undefined if another process is
 * numbering now.
 */
export async function numberEvents(database: Database): Promise<number | undefined> {
  if (database.kind === 'postgres') {
    const row = await database.get<{ last_number: number | null }>(
      'select number_events() as last_number',
    );
    return row?.last_number ?? undefined;
  }
  const waiting = await database.get(
    'select 1 as waits from tracker_event where sequence_number is null limit 1',
  );
  if (!waiting) return readLastNumber(database);
  return database.transaction(numberWhatWaits);
}

/**
 * Numbers all events within a transaction, like number_waiting_events of PostgreSQL. Returns the
 * last number; undefined if another process is numbering now.
 */
export async function numberWhatWaits(tx: Transaction): Promise<number | undefined> {
  if (!(await tx.tryLock(LOCK))) return undefined;
  const numbered = await tx.run(
    `with waiting as (
       select account_number, tracker_id, kind, start_time_ms, round,
         row_number() over (order by position, partition_id, ordinal) as place
       from tracker_event where sequence_number is null)
     update tracker_event set sequence_number =
       waiting.place + (select last_number from event_head where id = 1)
     from waiting where tracker_event.account_number = waiting.account_number
       and tracker_event.tracker_id = waiting.tracker_id
       and tracker_event.kind = waiting.kind
       and tracker_event.start_time_ms = waiting.start_time_ms
       and tracker_event.round = waiting.round`,
  );
  // Only then: a revision refers to the number of its event.
  await tx.run(
    `update tracker_event set revises = (select told.sequence_number from tracker_event told
       where told.account_number = tracker_event.account_number
         and told.tracker_id = tracker_event.tracker_id
         and told.kind = tracker_event.revised_kind
         and told.start_time_ms = tracker_event.start_time_ms
         and told.round = tracker_event.revised_round)
     where kind = 'revision'
       and sequence_number > (select last_number from event_head where id = 1)`,
  );
  return numberOf(
    tx,
    'update event_head set last_number = last_number + $1 where id = 1 returning last_number',
    [numbered],
  );
}

/** For a copy, whose original goes on: clients would take its numbers for those of new events. */
export async function skipEventNumbers(tx: Transaction): Promise<void> {
  await tx.run('update event_head set last_number = last_number + $1', [NUMBERS_AHEAD]);
}

/** Events that come are numbered above `last`. Returns the last number of before. */
export async function raiseLastNumber(tx: Transaction, last: number): Promise<number> {
  await tx.lock(LOCK);
  const before = await readLastNumber(tx);
  await tx.run('update event_head set last_number = $1 where last_number < $1', [last]);
  return before;
}

export const readLastNumber = (sql: Sql): Promise<number> =>
  numberOf(sql, 'select last_number from event_head where id = 1');
