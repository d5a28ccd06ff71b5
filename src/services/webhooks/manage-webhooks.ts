import type { DeadLetterRecord, WebhookRecord } from '../../contract/operations/webhooks.ts';
import { MAX_WEBHOOKS_PER_USER } from '../../contract/operations/webhooks.ts';
import { newWebhookSecret } from '../../network/webhook-message.ts';
import { listDeadLetters, replayDeadLetters } from '../../storage/dead-letter-store.ts';
import { readLastNumber } from '../../storage/event-number-store.ts';
import {
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  listWebhooks,
  type Webhook,
  wakeWebhook,
} from '../../storage/webhook-store.ts';
import { EVENT_KINDS, type EventKind } from '../../words/events.ts';
import type { WebhookDelivery } from '../../words/service.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { type Page, readPage } from '../page.ts';
import { isoTime } from '../present-time.ts';
import { checkWebhookUrl } from './webhook-url.ts';

export type NewWebhook = {
  url: string;
  events?: EventKind[] | undefined;
  delivery?: WebhookDelivery | undefined;
};

/** Size of a webhook, with its secret and address. */
const WEBHOOK_BYTES = 1000;

export type WebhookContext = Context & {
  /** Whether webhooks may reach addresses outside of the public internet. */
  allowPrivate: boolean;
};

/**
 * Creates a webhook for the user's events from now on. The secret is only in this answer. Throws
 * `validation` for a URL that cannot be sent to, `conflict` if there are too many.
 */
export async function createWebhook(
  { changes, now, newId, secrets, allowPrivate }: WebhookContext,
  principal: Principal,
  { url, events, delivery = 'single' }: NewWebhook,
): Promise<{ id: string; secret: string }> {
  const userId = ownerOf(principal);
  await checkWebhookUrl(url, allowPrivate);
  const id = newId();
  const secret = newWebhookSecret();
  await changes.make(actorOf(principal), async (tx) => {
    const { items } = await tx.hold(userId, 'webhook', { items: 1, bytes: WEBHOOK_BYTES });
    if (items > MAX_WEBHOOKS_PER_USER) {
      throw conflict(`The limit of ${MAX_WEBHOOKS_PER_USER} webhooks is reached`);
    }
    const lastNumber = await readLastNumber(tx);
    await insertWebhook(tx, {
      id,
      userId,
      url,
      events: events ?? [...EVENT_KINDS],
      delivery,
      ...(await secrets.seal(tx, secret, id)),
      createdAtMs: now(),
      lastNumber,
      wantedNumber: lastNumber,
      attempts: 0,
      dueAtMs: now(),
      tookMs: 0,
      lastResult: null,
    });
    const details = { webhookId: id, url, events, delivery };
    return { result: undefined, audit: [{ action: 'webhook.created', userId, details }] };
  });
  // An event in between did not wake it.
  await changes.record((tx) => wakeWebhook(tx, id));
  return { id, secret };
}

export async function readWebhooks(
  { database, secrets }: Context,
  principal: Principal,
): Promise<WebhookRecord[]> {
  const webhooks = await listWebhooks(database, ownerOf(principal), MAX_WEBHOOKS_PER_USER);
  const present = async (webhook: Webhook): Promise<WebhookRecord> => ({
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    delivery: webhook.delivery,
    createdAt: new Date(webhook.createdAtMs).toISOString(),
    lastSequenceNumber: webhook.lastNumber,
    failedAttempts: webhook.attempts,
    ...(webhook.lastResult === null ? {} : { lastResult: webhook.lastResult }),
    locked: !(await secrets.canOpen(webhook.secretKeyId)),
  });
  return Promise.all(webhooks.map(present));
}

export async function deleteWebhook(
  context: Context,
  principal: Principal,
  id: string,
): Promise<void> {
  const { userId, url } = await ownWebhook(context, principal, id);
  await context.changes.make(actorOf(principal), async (tx) => {
    if (await deleteWebhookRow(tx, id)) {
      await tx.hold(userId, 'webhook', { items: -1, bytes: -WEBHOOK_BYTES });
    }
    const details = { webhookId: id, url };
    return { result: undefined, audit: [{ action: 'webhook.deleted', userId, details }] };
  });
}

/** A page of the events not accepted by the webhook, newest first. */
export async function readDeadLetters(
  { database, ...context }: Context,
  principal: Principal,
  id: string,
  { before, limit }: { before: number; limit: number },
): Promise<Page<DeadLetterRecord>> {
  const webhook = await ownWebhook({ database, ...context }, principal, id);
  const read = async (most: number): Promise<DeadLetterRecord[]> => {
    const letters = await listDeadLetters(database, webhook.id, before, most);
    return letters.map(({ sequenceNumber, attempts, failedAtMs, lastResult }) => ({
      ...{ sequenceNumber, attempts, failedAt: isoTime(failedAtMs), lastResult },
    }));
  };
  const nextAfter = ({ sequenceNumber }: DeadLetterRecord) => ({ before: sequenceNumber });
  return readPage({ limit }, read, nextAfter);
}

/** Sends one dead letter again, or all. Throws `notFound` if there is no such letter. */
export async function replayWebhook(
  context: Context,
  principal: Principal,
  id: string,
  sequenceNumber: number | undefined,
): Promise<{ replayed: number }> {
  const webhook = await ownWebhook(context, principal, id);
  const replayed = await context.changes.make(actorOf(principal), async (tx) => {
    const count = await replayDeadLetters(tx, webhook.id, context.now(), sequenceNumber);
    const details = { webhookId: id, replayed: count, sequenceNumber };
    const { userId } = webhook;
    return { result: count, audit: [{ action: 'webhook.replayed', userId, details }] };
  });
  if (replayed === 0 && sequenceNumber !== undefined) throw notFound('Dead letter');
  return { replayed };
}

/** Webhooks report on all the user's accounts: a token restricted to some must not have any. */
const ownerOf = (principal: Principal): string => wholeUserOf(principal, 'use webhooks');

/** A webhook of the caller. Throws `notFound` for another's. */
export async function ownWebhook(
  { database }: Context,
  principal: Principal,
  id: string,
): Promise<Webhook> {
  const webhook = await findWebhook(database, ownerOf(principal), id);
  if (!webhook) throw notFound('Webhook');
  return webhook;
}
