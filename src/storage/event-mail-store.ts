import type { EventKind } from '../domain/live/live-records.ts';
import type { Sql, Transaction } from './database.ts';
import { type EventRow, eventOf, type StoredEvent } from './event-store.ts';
import { plain, RecordTable } from './record-table.ts';
import { places } from './sql-text.ts';

export type EventMailDelivery = 'off' | 'immediate' | 'digest';

/** What a user has mailed, and how far that has come. */
export type EventMail = {
  userId: string;
  breaches: EventMailDelivery;
  warnings: EventMailDelivery;
  /** Of the last event that was looked at, for what is mailed at once, and for the digest. */
  immediateNumber: number;
  digestNumber: number;
  /** No mail before. */
  immediateDueMs: number;
  digestDueMs: number;
};

const TABLE = new RecordTable<EventMail>('event_mail', {
  userId: plain('user_id'),
  breaches: plain('breaches'),
  warnings: plain('warnings'),
  immediateNumber: plain('immediate_number'),
  digestNumber: plain('digest_number'),
  immediateDueMs: plain('immediate_due_ms'),
  digestDueMs: plain('digest_due_ms'),
});

/** Undefined where the user never asked for any. */
export async function findEventMail(sql: Sql, userId: string): Promise<EventMail | undefined> {
  const row = await sql.get('select * from event_mail where user_id = $1', [userId]);
  return row && TABLE.read(row);
}

export async function writeEventMail(tx: Transaction, mail: EventMail): Promise<void> {
  await tx.run('delete from event_mail where user_id = $1', [mail.userId]);
  await tx.run(TABLE.insert(), TABLE.values(mail));
}

/**
 * Users who may have a mail to get, with `lastNumber` the newest event's. A due time that lies further
 * ahead than it can was noted by a wrong clock.
 */
export async function listDueEventMail(
  sql: Sql,
  lastNumber: number,
  nowMs: number,
  { pauseMs, digestMs }: { pauseMs: number; digestMs: number },
  limit: number,
): Promise<string[]> {
  const rows = await sql.all<{ user_id: string }>(
    `select user_id from event_mail
     where ((breaches = 'immediate' or warnings = 'immediate') and immediate_number < $1
         and (immediate_due_ms <= $2 or immediate_due_ms > $3))
       or ((breaches = 'digest' or warnings = 'digest') and digest_number < $1
         and (digest_due_ms <= $2 or digest_due_ms > $4))
     order by user_id limit $5`,
    [lastNumber, nowMs, nowMs + pauseMs, nowMs + digestMs, limit],
  );
  return rows.map((row) => row.user_id);
}

/** A user's events of some kinds after a number and up to another, in order; and how many there are. */
export async function readMailedEvents(
  sql: Sql,
  userId: string,
  kinds: readonly EventKind[],
  range: { after: number; until: number },
  limit: number,
): Promise<{ events: StoredEvent[]; count: number }> {
  const where = `user_id = $1 and sequence_number > $2 and sequence_number <= $3
    and kind in (${places(4, kinds.length)})
    and exists (select 1 from account where account.number = tracker_event.account_number)`;
  const params = [userId, range.after, range.until, ...kinds];
  const counted = await sql.get<{ events: number }>(
    `select count(*) as events from tracker_event where ${where}`,
    params,
  );
  const count = counted?.events ?? 0;
  if (count === 0) return { events: [], count };
  const rows = await sql.all<EventRow>(
    `select * from tracker_event where ${where} order by sequence_number limit ${limit}`,
    params,
  );
  return { events: rows.map((row) => eventOf(row)), count };
}
