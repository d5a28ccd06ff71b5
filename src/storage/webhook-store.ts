import type { EventKind } from '../domain/live/live-records.ts';
import type { Sql, Transaction } from './database.ts';
import { plain, RecordTable, words } from './record-table.ts';

export type Webhook = {
  id: string;
  userId: string;
  url: string;
  events: EventKind[];
  /** Sealed. */
  secret: string;
  createdAtMs: number;
  /** Events up to this number are delivered or given up. */
  lastNumber: number;
  /** Failed attempts at the next event. */
  attempts: number;
  dueAtMs: number;
  /** Another sender holds it up to this time. */
  leasedUntilMs: number;
  lastResult: string | null;
};

export type DeadLetter = {
  webhookId: string;
  sequenceNumber: number;
  attempts: number;
  failedAtMs: number;
  lastResult: string;
  /** When it is sent again; null unless that was asked for. */
  dueAtMs: number | null;
};

const WEBHOOK = new RecordTable<Webhook>('webhook', {
  id: plain('id'),
  userId: plain('user_id'),
  url: plain('url'),
  events: words('events'),
  secret: plain('secret'),
  createdAtMs: plain('created_at_ms'),
  lastNumber: plain('last_number'),
  attempts: plain('attempts'),
  dueAtMs: plain('due_at_ms'),
  leasedUntilMs: plain('leased_until_ms'),
  lastResult: plain('last_result'),
});

const DEAD_LETTER = new RecordTable<DeadLetter>('webhook_dead_letter', {
  webhookId: plain('webhook_id'),
  sequenceNumber: plain('sequence_number'),
  attempts: plain('attempts'),
  failedAtMs: plain('failed_at_ms'),
  lastResult: plain('last_result'),
  dueAtMs: plain('due_at_ms'),
});

export async function insertWebhook(tx: Transaction, webhook: Webhook): Promise<void> {
  await tx.run(WEBHOOK.insert(), WEBHOOK.values(webhook));
}

export async function listWebhooks(sql: Sql, userId: string): Promise<Webhook[]> {
  const rows = await sql.all(
    'select * from webhook where user_id = $1 order by created_at_ms, id',
    [userId],
  );
  return rows.map(WEBHOOK.read);
}

export async function findWebhook(
  sql: Sql,
  userId: string,
  id: string,
): Promise<Webhook | undefined> {
  const row = await sql.get('select * from webhook where id = $1 and user_id = $2', [id, userId]);
  return row && WEBHOOK.read(row);
}

export async function deleteWebhook(tx: Transaction, id: string): Promise<void> {
  await tx.run('delete from webhook_dead_letter where webhook_id = $1', [id]);
  await tx.run('delete from webhook where id = $1', [id]);
}

/** How far ahead of now a webhook can be due, and leased, by a clock that is right. */
export type WebhookHorizon = { retryMs: number; leaseMs: number };

/**
 * Webhooks that are due and behind the feed, or have dead letters to send again. What a clock that
 * was wrong has put off beyond the horizon is due now.
 */
export async function listDueWebhooks(
  sql: Sql,
  nowMs: number,
  { retryMs, leaseMs }: WebhookHorizon,
  limit: number,
): Promise<Webhook[]> {
  const rows = await sql.all(
    `select * from webhook
     where (due_at_ms <= $1 or due_at_ms > $2) and (leased_until_ms <= $1 or leased_until_ms > $3)
       and (exists (select 1 from tracker_event where tracker_event.user_id = webhook.user_id
           and tracker_event.sequence_number > webhook.last_number)
         or exists (select 1 from webhook_dead_letter
           where webhook_dead_letter.webhook_id = webhook.id
             and webhook_dead_letter.due_at_ms is not null))
     order by due_at_ms limit $4`,
    [nowMs, nowMs + retryMs, nowMs + leaseMs, limit],
  );
  return rows.map(WEBHOOK.read);
}

/** Keeps other senders off a webhook until a time; false when another one was quicker. */
export async function leaseWebhook(sql: Sql, webhook: Webhook, untilMs: number): Promise<boolean> {
  const changed = await sql.run(
    'update webhook set leased_until_ms = $3 where id = $1 and leased_until_ms = $2',
    [webhook.id, webhook.leasedUntilMs, untilMs],
  );
  return changed === 1;
}

/** Notes how far a webhook has come and lets it go, for the sender that holds it up to `leaseMs`. */
export async function saveWebhook(
  sql: Sql,
  webhook: Pick<Webhook, 'id' | 'lastNumber' | 'attempts' | 'dueAtMs' | 'lastResult'>,
  leaseMs: number,
): Promise<boolean> {
  const changed = await sql.run(
    `update webhook set last_number = $3, attempts = $4, due_at_ms = $5, last_result = $6,
       leased_until_ms = 0 where id = $1 and leased_until_ms = $2`,
    [
      webhook.id,
      leaseMs,
      webhook.lastNumber,
      webhook.attempts,
      webhook.dueAtMs,
      webhook.lastResult,
    ],
  );
  return changed === 1;
}

export async function writeDeadLetter(sql: Sql, letter: DeadLetter): Promise<void> {
  await sql.run(
    `${DEAD_LETTER.insert()} on conflict (webhook_id, sequence_number)
     ${DEAD_LETTER.replace('webhook_id', 'sequence_number')}`,
    DEAD_LETTER.values(letter),
  );
}

export async function deleteDeadLetter(
  sql: Sql,
  webhookId: string,
  sequenceNumber: number,
): Promise<void> {
  await sql.run('delete from webhook_dead_letter where webhook_id = $1 and sequence_number = $2', [
    webhookId,
    sequenceNumber,
  ]);
}

/** In order of their numbers; only those to be sent again, where that is asked for. */
export async function listDeadLetters(
  sql: Sql,
  webhookId: string,
  limit: number,
  { onlyDue = false } = {},
): Promise<DeadLetter[]> {
  const rows = await sql.all(
    `select * from webhook_dead_letter where webhook_id = $1
       ${onlyDue ? 'and due_at_ms is not null' : ''}
     order by sequence_number limit $2`,
    [webhookId, limit],
  );
  return rows.map(DEAD_LETTER.read);
}

/** Has dead letters sent again, one or all; tells how many. */
export async function replayDeadLetters(
  tx: Transaction,
  webhookId: string,
  nowMs: number,
  sequenceNumber?: number,
): Promise<number> {
  const count = await tx.run(
    `update webhook_dead_letter set due_at_ms = $2 where webhook_id = $1
       ${sequenceNumber === undefined ? '' : 'and sequence_number = $3'}`,
    sequenceNumber === undefined ? [webhookId, nowMs] : [webhookId, nowMs, sequenceNumber],
  );
  await tx.run(
    'update webhook set due_at_ms = $2 where id = $1 and due_at_ms > $2 and attempts > 0',
    [webhookId, nowMs],
  );
  return count;
}

export async function countDeadLetters(sql: Sql): Promise<number> {
  const row = await sql.get<{ letters: number }>(
    'select count(*) as letters from webhook_dead_letter',
  );
  return row?.letters ?? 0;
}

/** A secret of the server's own, made once. */
export async function findServerSecret(
  tx: Transaction,
  name: string,
  fresh: string,
): Promise<string> {
  await tx.run(
    'insert into server_secret (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, fresh],
  );
  const row = await tx.get<{ value: string }>('select value from server_secret where name = $1', [
    name,
  ]);
  return row?.value ?? fresh;
}
