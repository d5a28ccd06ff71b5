import type { EventKind } from '../words/events.ts';
import type { MailTiming } from '../words/service.ts';
import type { Sql, Transaction } from './database.ts';
import { EVENT_COLUMNS, eventOf, type StoredEvent } from './event-feed-store.ts';
import { OF_ACCOUNTS } from './event-filter.ts';
import { plain, RecordTable } from './record-table.ts';
import { numberOf, Where } from './sql-text.ts';

/** The events mailed to a user, and the progress of mailing. */
export type EventMail = {
  userId: string;
  breaches: MailTiming;
  warnings: MailTiming;
  /** The last event considered for each choice, however it is mailed. */
  breachesNumber: number;
  warningsNumber: number;
  /** No mail before these times. */
  immediateDueMs: number;
  digestDueMs: number;
};

const TABLE = new RecordTable<EventMail>('event_mail', {
  userId: plain('user_id'),
  breaches: plain('breaches'),
  warnings: plain('warnings'),
  breachesNumber: plain('breaches_number'),
  warningsNumber: plain('warnings_number'),
  immediateDueMs: plain('immediate_due_ms'),
  digestDueMs: plain('digest_due_ms'),
});

/** Undefined if the user never enabled mail. */
export const findEventMail = (sql: Sql, userId: string): Promise<EventMail | undefined> =>
  TABLE.get(sql, 'where user_id = $1', [userId]);

export async function writeEventMail(tx: Transaction, mail: EventMail): Promise<void> {
  await tx.run('delete from event_mail where user_id = $1', [mail.userId]);
  await TABLE.add(tx, mail);
}

/** Whether events up to a number are not yet looked at for what is mailed in that way. */
export const hasMailLeft = (delivery: 'immediate' | 'digest', last: string): string =>
  `((breaches = '${delivery}' and breaches_number < ${last})
     or (warnings = '${delivery}' and warnings_number < ${last}))`;

/**
 * Users for whom there may be a mail; `lastNumber` is that of the newest event. A due time
 * impossibly far ahead was set by a wrong clock, so it counts as reached.
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
     where (${hasMailLeft('immediate', '$1')}
         and (immediate_due_ms <= $2 or immediate_due_ms > $3))
       or (${hasMailLeft('digest', '$1')}
         and (digest_due_ms <= $2 or digest_due_ms > $4))
     order by user_id limit $5`,
    [lastNumber, nowMs, nowMs + pauseMs, nowMs + digestMs, limit],
  );
  return rows.map((row) => row.user_id);
}

/** Events of some kinds after a number. */
export type MailedKinds = { kinds: readonly EventKind[]; after: number };

/** A user's wanted events up to a number, in order, and how many there are. */
export async function readMailedEvents(
  sql: Sql,
  userId: string,
  wanted: readonly MailedKinds[],
  until: number,
  limit: number,
): Promise<{ events: StoredEvent[]; count: number }> {
  const where = new Where().equal('user_id', userId).and(OF_ACCOUNTS);
  where.and(`sequence_number > ${where.place(Math.min(...wanted.map(({ after }) => after)))}`);
  where.and(`sequence_number <= ${where.place(until)}`);
  const ofKinds = wanted.map(({ kinds, after }) => {
    const places = kinds.map((kind) => where.place(kind)).join(', ');
    // A revision is mailed together with the revised event.
    return `coalesce(revised_kind, kind) in (${places}) and sequence_number > ${where.place(after)}`;
  });
  where.and(`(${ofKinds.join(' or ')})`);
  const count = await numberOf(
    sql,
    `select count(*) from tracker_event where ${where}`,
    where.params,
  );
  if (count === 0) return { events: [], count };
  const rows = await sql.all(
    `select ${EVENT_COLUMNS} from tracker_event where ${where}
     order by sequence_number limit ${limit}`,
    where.params,
  );
  return { events: rows.map(eventOf), count };
}
