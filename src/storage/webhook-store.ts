import type { EventKind } from '../words/events.ts';
import type { WebhookDelivery } from '../words/service.ts';
import { isUnclaimed } from './claim-store.ts';
import type { Database, Sql, SqlValue, Transaction } from './database.ts';
import { readLastNumber } from './event-number-store.ts';
import { plain, RecordTable, wordColumn } from './record-table.ts';
import { isOpenable } from './secret-key-store.ts';
import { numberOf } from './sql-text.ts';

export type Webhook = {
  id: string;
  userId: string;
  url: string;
  events: EventKind[];
  delivery: WebhookDelivery;
  /** Encrypted: see KeyRing. */
  secret: Uint8Array;
  secretKeyId: string;
  createdAtMs: number;
  /** Events up to this number are delivered or given up. */
  lastNumber: number;
  /** The user may have events up to this number. */
  wantedNumber: number;
  /** Failed attempts at the next event. */
  attempts: number;
  dueAtMs: number;
  /** How long its target took to answer the last request. */
  tookMs: number;
  lastResult: string | null;
};

const WEBHOOK = new RecordTable<Webhook>('webhook', {
  id: plain('id'),
  userId: plain('user_id'),
  url: plain('url'),
  events: wordColumn('events'),
  delivery: plain('delivery'),
  secret: plain('secret'),
  secretKeyId: plain('secret_key_id'),
  createdAtMs: plain('created_at_ms'),
  lastNumber: plain('last_number'),
  wantedNumber: plain('wanted_number'),
  attempts: plain('attempts'),
  dueAtMs: plain('due_at_ms'),
  tookMs: plain('took_ms'),
  lastResult: plain('last_result'),
});

export async function insertWebhook(tx: Transaction, webhook: Webhook): Promise<void> {
  // The very first webhook does not receive earlier events.
  await tx.run(
    `update webhook_feed set last_number = $1
     where last_number < $1 and not exists (select 1 from webhook)`,
    [webhook.lastNumber],
  );
  await WEBHOOK.add(tx, webhook);
}

/** In the order in which they were made. */
export const listWebhooks = (sql: Sql, userId: string, limit: number): Promise<Webhook[]> =>
  WEBHOOK.all(sql, 'where user_id = $1 order by created_at_ms, id limit $2', [userId, limit]);

export const findWebhook = (sql: Sql, userId: string, id: string): Promise<Webhook | undefined> =>
  WEBHOOK.get(sql, 'where id = $1 and user_id = $2', [id, userId]);

/** False if it is already gone. */
export async function deleteWebhookRow(tx: Transaction, id: string): Promise<boolean> {
  await tx.run('delete from webhook_dead_letter where webhook_id = $1', [id]);
  return (await tx.run('delete from webhook where id = $1', [id])) > 0;
}

/** Held while waking webhooks. */
const WAKING = 'plimsoll:webhooks';
/** The most events for which one transaction wakes webhooks. */
const EVENTS_AT_ONCE = 1000;

/**
 * Wakes the webhooks of users with events since the last time, so that other webhooks need not be
 * checked.
 */
export async function wakeWebhooks(database: Database): Promise<void> {
  for (let isMore = true; isMore; ) {
    const head = await database.get<{ last: number; told: number; webhooks: number }>(
      `select (select last_number from event_head where id = 1) as last,
         (select last_number from webhook_feed where id = 1) as told,
         (select count(*) from (select 1 from webhook limit 1) as any_webhook) as webhooks`,
    );
    if (!head || head.last === head.told || head.webhooks === 0) return;
    isMore = await database.transaction(wakeSome);
  }
}

/** Makes a webhook check all events up to now. */
export async function wakeWebhook(tx: Transaction, id: string): Promise<void> {
  await tx.run(
    `update webhook set wanted_number = (select last_number from event_head where id = 1)
     where id = $1`,
    [id],
  );
}

/** False if nothing is left to do, or another process is doing it. */
async function wakeSome(tx: Transaction): Promise<boolean> {
  if (!(await tx.tryLock(WAKING))) return false;
  const told = await numberOf(tx, 'select last_number from webhook_feed where id = 1');
  const last = await readLastNumber(tx);
  const next = await tx.get<{ events: number; until: number | null }>(
    `select count(*) as events, max(sequence_number) as until from (
       select sequence_number from tracker_event where sequence_number > $1
       order by sequence_number limit $2) as next_events`,
    [told, EVENTS_AT_ONCE],
  );
  // Passes gaps at once; a database that was restored to an earlier state continues from there.
  const until = next?.events === EVENTS_AT_ONCE ? (next.until ?? last) : last;
  await tx.run(
    `update webhook set wanted_number = $2 where user_id in
       (select user_id from tracker_event where sequence_number > $1 and sequence_number <= $2)`,
    [told, until],
  );
  await tx.run('update webhook_feed set last_number = $1 where id = 1', [until]);
  return until < last;
}

export type DueWebhooks = {
  isSlow: boolean;
  slowMs: number;
  exceptUsers: readonly string[];
  limit: number;
};

/**
 * Webhooks that are due and that no process sends: woken for new events, or with dead letters to
 * send again. One put off by more than `maxPauseMs` was put off by a wrong clock, and is due. Those
 * whose secret this process cannot decrypt with the keys of its settings are left to others. Only
 * those whose targets answer within `slowMs`, or only the others, and none of some users.
 */
export async function listDueWebhooks(
  sql: Sql,
  nowMs: number,
  maxPauseMs: number,
  keyIds: readonly string[],
  { isSlow, slowMs, exceptUsers, limit }: DueWebhooks,
): Promise<Webhook[]> {
  // Without a failure it is due, whatever the clock showed when it was last served.
  const isDue = '(due_at_ms <= $1 or attempts = 0)';
  const isPutOff = 'due_at_ms > $2';
  const params: SqlValue[] = [nowMs, nowMs + maxPauseMs, limit];
  const isFree = isUnclaimed('webhook', 'webhook.id');
  const isOpen = isOpenable('webhook.secret_key_id', keyIds, params);
  const isBehind = 'last_number < wanted_number';
  const hasLetters = `id in (select webhook_id from webhook_dead_letter where due_at_ms is not null)`;
  const due = new Map<string, Webhook>();
  const users = exceptUsers.map((userId) => `$${params.push(userId)}`).join(', ');
  const isMeant = `took_ms ${isSlow ? '>' : '<='} $${params.push(slowMs)}${users && ` and user_id not in (${users})`}`;
  for (const which of [
    `${isBehind} and ${isDue}`,
    `${isBehind} and ${isPutOff}`,
    `${hasLetters} and (${isDue} or ${isPutOff})`,
  ]) {
    const found = await WEBHOOK.all(
      sql,
      // Each uses all parameters, because PostgreSQL must infer their types.
      `where ${which} and ${isFree} and ${isOpen} and ${isMeant} and $2 > $1
       order by due_at_ms limit $3`,
      params.with(2, limit - due.size),
    );
    for (const webhook of found) due.set(webhook.id, webhook);
    if (due.size >= limit) break;
  }
  return [...due.values()];
}

/** Notes the progress of a webhook. */
export async function saveWebhook(
  sql: Sql,
  webhook: Pick<Webhook, 'id' | 'lastNumber' | 'attempts' | 'dueAtMs' | 'tookMs' | 'lastResult'>,
): Promise<void> {
  await sql.run(
    `update webhook set last_number = $2, attempts = $3, due_at_ms = $4, took_ms = $5,
       last_result = $6
     where id = $1`,
    [
      ...[webhook.id, webhook.lastNumber, webhook.attempts, webhook.dueAtMs, webhook.tookMs],
      webhook.lastResult,
    ],
  );
}

/** Webhooks as they are now; absent ones are left out. */
export const findWebhooks = (sql: Sql, ids: readonly string[]): Promise<Webhook[]> =>
  WEBHOOK.allIn(sql, ids, (list) => `where id in (${list})`);
