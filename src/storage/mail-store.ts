import type { Mail } from '../domain/mail.ts';
import type { MailState } from '../words/service.ts';
import { isUnclaimed } from './claim-store.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { flag, plain, RecordTable } from './record-table.ts';
import { allIn, numberOf, places, Where } from './sql-text.ts';

export type StoredMail = Mail & {
  id: string;
  isSecret: boolean;
  state: MailState;
  attempts: number;
  queuedAtMs: number;
  /** When it is tried next, if queued. */
  dueAtMs: number;
  settledAtMs: number | null;
  /** The mail server's last reply, or the reason why there was none. */
  lastResult: string | null;
};

const MAIL = new RecordTable<StoredMail>('mail_outbox', {
  id: plain('id'),
  messageId: plain('message_id'),
  to: plain('recipient'),
  subject: plain('subject'),
  text: plain('text_body'),
  html: plain('html_body'),
  isSecret: flag('is_secret'),
  state: plain('state'),
  attempts: plain('attempts'),
  queuedAtMs: plain('queued_at_ms'),
  dueAtMs: plain('due_at_ms'),
  settledAtMs: plain('settled_at_ms'),
  lastResult: plain('last_result'),
});

/** Queues a mail, in the transaction of the reported change. */
export async function queueMail(sql: Sql, id: string, mail: Mail, nowMs: number): Promise<void> {
  const fresh = { state: 'queued', attempts: 0, queuedAtMs: nowMs, dueAtMs: nowMs } as const;
  const none = { settledAtMs: null, lastResult: null };
  await MAIL.add(sql, { id, isSecret: false, ...mail, ...fresh, ...none });
}

/** Queues a failed or logged mail again; false if there is no such mail, or its text is gone. */
export async function requeueMail(sql: Sql, id: string, nowMs: number): Promise<boolean> {
  const changed = await sql.run(
    `update mail_outbox set state = 'queued', attempts = 0, queued_at_ms = $2, due_at_ms = $2,
       settled_at_ms = null where id = $1 and state in ('failed', 'logged')
       and is_secret = 0`,
    [id, nowMs],
  );
  return changed > 0;
}

export const findMail = (sql: Sql, id: string): Promise<StoredMail | undefined> =>
  MAIL.get(sql, 'where id = $1', [id]);

/** A page of mails, newest first; only of one state, if given. */
export async function listMailRows(
  sql: Sql,
  state: MailState | undefined,
  limit: number,
  offset: number,
): Promise<StoredMail[]> {
  const where = new Where().equal('state', state);
  return MAIL.all(
    sql,
    `where ${where} order by queued_at_ms desc, id desc
     limit ${where.place(limit)} offset ${where.place(offset)}`,
    where.params,
  );
}

/** How many mails to an address were queued since a time. */
export const countMailTo = (sql: Sql, to: string, sinceMs: number): Promise<number> =>
  numberOf(
    sql,
    'select count(*) as mails from mail_outbox where queued_at_ms >= $1 and recipient = $2',
    [sinceMs, to],
  );

/** How many mails wait, and how many were given up. */
export async function countOpenMail(sql: Sql): Promise<{ queued: number; failed: number }> {
  const rows = await sql.all<{ state: 'queued' | 'failed'; mails: number }>(
    `select state, count(*) as mails from mail_outbox
     where state in ('queued', 'failed') group by state`,
  );
  const of = (state: MailState) => rows.find((row) => row.state === state)?.mails ?? 0;
  return { queued: of('queued'), failed: of('failed') };
}

/**
 * The ids of queued mails that are due and that no process sends, oldest first. One put off by more
 * than `maxPauseMs` was put off by a wrong clock, and is due.
 */
export async function listDueMail(
  sql: Sql,
  nowMs: number,
  maxPauseMs: number,
  limit: number,
  exceptTo: readonly string[] = [],
): Promise<{ id: string; to: string }[]> {
  const others =
    exceptTo.length === 0 ? '' : `and recipient not in (${places(4, exceptTo.length)})`;
  return sql.all<{ id: string; to: string }>(
    `select id, recipient as "to" from mail_outbox
     where state = 'queued' and (due_at_ms <= $1 or due_at_ms > $2) ${others}
       and ${isUnclaimed('mail', 'id')}
     order by due_at_ms, id limit $3`,
    [nowMs, nowMs + maxPauseMs, limit, ...exceptTo],
  );
}

/** Counts an attempt at mails that are still queued, and returns them, those due first. */
export async function beginMail(tx: Transaction, ids: readonly string[]): Promise<StoredMail[]> {
  const rows = await allIn<Row>(
    tx,
    ids,
    (list) =>
      `update mail_outbox set attempts = attempts + 1
       where state = 'queued' and id in (${list}) returning ${MAIL.list}`,
  );
  return rows.map(MAIL.read).toSorted((a, b) => a.dueAtMs - b.dueAtMs);
}

/** What has ended needs no secret any more. */
const WITHOUT_SECRET = `text_body = case when is_secret = 1 then '' else text_body end,
  html_body = case when is_secret = 1 then '' else html_body end`;

/** Notes that a mail was accepted or logged; a sent mail stays sent, whatever comes late. */
export async function completeMail(
  tx: Transaction,
  id: string,
  [state, nowMs, response]: readonly ['sent' | 'logged', number, string],
): Promise<void> {
  await tx.run(
    `update mail_outbox set state = $2, settled_at_ms = $3, last_result = $4,
       ${WITHOUT_SECRET}
     where id = $1 and state <> 'sent'`,
    [id, state, nowMs, response],
  );
}

/** Schedules another try of a mail. */
export async function deferMail(
  tx: Transaction,
  id: string,
  dueAtMs: number,
  error: string,
): Promise<void> {
  await tx.run(
    `update mail_outbox set due_at_ms = $2, last_result = $3 where id = $1 and state = 'queued'`,
    [id, dueAtMs, error],
  );
}

export async function giveUpMail(
  tx: Transaction,
  id: string,
  nowMs: number,
  error: string,
): Promise<void> {
  await tx.run(
    `update mail_outbox set state = 'failed', settled_at_ms = $2, last_result = $3,
       ${WITHOUT_SECRET}
     where id = $1 and state = 'queued'`,
    [id, nowMs, error],
  );
}
