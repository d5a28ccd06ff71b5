import type { Claims } from '../../claims/claims.ts';
import { growingPause } from '../../domain/growing-pause.ts';
import { kindOf } from '../../domain/live/live-records.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import { sleep } from '../../domain/timekeeper.ts';
import { presentEvent } from '../../feeds/present-event.ts';
import type { Delivery } from '../../network/send-webhook.ts';
import { signedRequest, type WebhookMessage } from '../../network/webhook-message.ts';
import { type Claim, isClaimed } from '../../storage/claim-store.ts';
import type { Database } from '../../storage/database.ts';
import { DatabaseUnavailable, type Transaction } from '../../storage/database.ts';
import {
  type DeadLetter,
  deleteDeadLetter,
  listDueDeadLetters,
  writeDeadLetter,
} from '../../storage/dead-letter-store.ts';
import { readEvents, type StoredEvent } from '../../storage/event-feed-store.ts';
import { readLastNumber } from '../../storage/event-number-store.ts';
import type { KeyRing } from '../../storage/key-ring.ts';
import { saveWebhook, type Webhook } from '../../storage/webhook-store.ts';
import type { WebhookDelivery } from '../../words/service.ts';

export type SenderContext = {
  database: Database;
  claims: Claims;
  time: Timekeeper;
  logger: { warn(fields: object, message: string): void };
};

export type SenderOptions = {
  secrets: Pick<KeyRing, 'open' | 'settingIds'>;
  /** Posts a body: see sendWebhook. */
  send: (
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ) => Promise<Delivery>;
  random: () => number;
};

const DEAD_LETTERS_PER_TURN = 20;
/** A target that takes longer has its turns among the slow ones. */
export const SLOW_MS = 500;
/** A webhook with many events yields to others after this long. */
const TURN_MS = 2000;
const SAVE_RETRY_MS = 500;
const PAUSE = { firstMs: 1000, maxMs: 15 * 60_000 };
export const MAX_RETRY_MS = PAUSE.maxMs;
/** With the delays above: about an hour and a half. */
const MAX_ATTEMPTS = 12;

/** Events of a request, requests at a time, and events after which progress is noted. */
const MODES: Record<WebhookDelivery, { perRequest: number; atOnce: number; perRound: number }> = {
  single: { perRequest: 1, atOnce: 1, perRound: 20 },
  batch: { perRequest: 100, atOnce: 1, perRound: 500 },
  parallel: { perRequest: 1, atOnce: 64, perRound: 640 },
};

/** A webhook that this process has claimed. */
export type HeldWebhook = { webhook: Webhook; claim: Claim };

type Sent = { taken: number; failed: Delivery | undefined; last: Delivery | undefined };

/** The sending to a webhook while this process holds it. */
export class WebhookTurn {
  readonly #context: SenderContext;
  readonly #options: SenderOptions;
  readonly #signal: AbortSignal;
  readonly #webhook: Webhook;
  readonly #claim: Claim;
  /** When the requests still without an answer were sent. */
  readonly #asked = new Set<{ atMs: number }>();
  #secret = '';
  /** When others get their turn. */
  #untilMs = 0;

  constructor(
    context: SenderContext,
    options: SenderOptions,
    signal: AbortSignal,
    held: HeldWebhook,
  ) {
    this.#context = context;
    this.#options = options;
    this.#signal = signal;
    this.#webhook = { ...held.webhook };
    this.#claim = held.claim;
  }

  /** Whether its target is known to be slow. */
  get isSlow(): boolean {
    const [oldest] = this.#asked;
    const waitsMs = oldest ? this.#context.time.elapsed() - oldest.atMs : 0;
    return Math.max(waitsMs, this.#webhook.tookMs) > SLOW_MS;
  }

  /**
   * Sends the next events, until there are none, one fails or others wait; then releases the
   * webhook. What stops it, such as a secret that cannot be opened, delays the next turn.
   */
  async run(): Promise<void> {
    try {
      this.#secret = await this.#options.secrets.open(this.#webhook, this.#webhook.id);
      await this.#sendWaiting();
    } catch (error) {
      const { time } = this.#context;
      this.#webhook.attempts = Math.max(1, this.#webhook.attempts);
      this.#webhook.dueAtMs = time.now() + this.#delayMs(1);
      await this.#save(false);
      throw error;
    }
  }

  async #sendWaiting(): Promise<void> {
    const { database, time } = this.#context;
    this.#untilMs = time.elapsed() + TURN_MS;
    await this.#sendDeadLetters();
    for (let isMore = true; isMore; ) {
      // First: later numbers wake the webhook again.
      const head = await readLastNumber(database);
      const { userId, lastNumber, delivery } = this.#webhook;
      const { perRound } = MODES[delivery];
      const events = await readEvents(database, { userId }, lastNumber, perRound);
      const isDone = await this.#sendRound(events);
      if (isDone && events.length < perRound) {
        this.#webhook.lastNumber = Math.max(this.#webhook.lastNumber, head);
      }
      const isGood = isDone && this.#mayStart;
      isMore = await this.#save(isGood && events.length === perRound);
    }
  }

  get #mayStart(): boolean {
    const isTime = this.#context.time.elapsed() < this.#untilMs;
    return isTime && !this.#signal.aborted && this.#context.claims.isFresh;
  }

  /** Whether all were sent or given up. */
  async #sendRound(events: readonly StoredEvent[]): Promise<boolean> {
    const webhook = this.#webhook;
    webhook.dueAtMs = this.#context.time.now();
    const wanted = events.filter(({ event }) => webhook.events.includes(kindOf(event)));
    // After a failure it sends fewer, until a single event shows whether it is the refused one.
    const { perRequest, atOnce } = MODES[webhook.delivery];
    const isRetry = webhook.attempts > 0;
    const requests = inParts(wanted, Math.max(1, perRequest >> webhook.attempts));
    const some = isRetry ? requests.slice(0, 1) : requests;
    const { taken, failed, last } = await this.#sendAll(some, isRetry ? 1 : atOnce);
    webhook.lastResult = (failed ?? last)?.result ?? webhook.lastResult;
    if (taken > 0) webhook.attempts = 0;
    const next = requests[taken];
    if (!next) {
      webhook.lastNumber = events.at(-1)?.sequenceNumber ?? webhook.lastNumber;
      webhook.attempts = 0;
      return true;
    }
    webhook.lastNumber = Math.max(webhook.lastNumber, (next[0]?.sequenceNumber ?? 0) - 1);
    if (failed) await this.#fail(next, failed);
    return false;
  }

  async #fail(request: readonly StoredEvent[], { result }: Delivery): Promise<void> {
    const webhook = this.#webhook;
    webhook.attempts += 1;
    if (webhook.attempts < MAX_ATTEMPTS) {
      webhook.dueAtMs = this.#context.time.now() + this.#delayMs(webhook.attempts);
      return;
    }
    for (const { sequenceNumber } of request) {
      await this.#giveUp(sequenceNumber, webhook.attempts, result);
      webhook.lastNumber = sequenceNumber;
    }
    webhook.attempts = 0;
  }

  /**
   * Sends requests, some at a time, up to the first that fails: returns how many were accepted
   * before it.
   */
  async #sendAll(requests: readonly StoredEvent[][], atOnce: number): Promise<Sent> {
    let next = 0;
    let firstFailed = requests.length;
    const sent: Sent = { taken: 0, failed: undefined, last: undefined };
    const send = async (): Promise<void> => {
      while (next < firstFailed && this.#mayStart) {
        const place = next;
        next += 1;
        const delivery = await this.#deliver(requests[place] ?? []);
        sent.last = delivery ?? sent.last;
        if (delivery?.isTaken || place > firstFailed) continue;
        firstFailed = place;
        sent.failed = delivery;
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, requests.length) }, send));
    sent.taken = Math.min(next, firstFailed);
    return sent;
  }

  /**
   * Notes its progress, and releases the webhook unless it is still needed. True while it is held.
   */
  async #save(isHeldOn: boolean): Promise<boolean> {
    const { claims } = this.#context;
    const save = (isHeld: (tx: Transaction) => Promise<boolean>): Promise<boolean> =>
      this.#retry(async (tx) => {
        if (!(await isHeld(tx))) return false;
        await saveWebhook(tx, this.#webhook);
        return isHeldOn;
      });
    return isHeldOn
      ? save((tx) => isClaimed(tx, this.#claim.fence))
      : claims.releasing(this.#claim, save);
  }

  /** Retries through an outage, or events would be sent again. */
  async #retry<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { database, time } = this.#context;
    for (;;) {
      try {
        return await database.transaction(work);
      } catch (error) {
        if (this.#signal.aborted || !(error instanceof DatabaseUnavailable)) throw error;
        await sleep(time, SAVE_RETRY_MS, this.#signal);
      }
    }
  }

  async #sendDeadLetters(): Promise<void> {
    const { database } = this.#context;
    const letters = await listDueDeadLetters(database, this.#webhook.id, DEAD_LETTERS_PER_TURN);
    for (const letter of letters) {
      if (!this.#mayStart) return;
      await this.#resend(letter);
    }
  }

  async #resend({ sequenceNumber, attempts }: DeadLetter): Promise<void> {
    const { database } = this.#context;
    const { id, userId } = this.#webhook;
    const [event] = await readEvents(database, { userId }, sequenceNumber - 1, 1);
    const isThere = event?.sequenceNumber === sequenceNumber;
    const delivery = isThere ? await this.#deliver([event]) : undefined;
    if (isThere && !delivery) return;
    if (!delivery || delivery.isTaken) await deleteDeadLetter(database, id, sequenceNumber);
    else await this.#giveUp(sequenceNumber, attempts + 1, delivery.result);
  }

  async #giveUp(sequenceNumber: number, attempts: number, lastResult: string): Promise<void> {
    const failedAtMs = this.#context.time.now();
    const letter = {
      webhookId: this.#webhook.id,
      sequenceNumber,
      attempts,
      failedAtMs,
      lastResult,
    };
    await writeDeadLetter(this.#context.database, { ...letter, dueAtMs: null });
  }

  /** Undefined if the end of this process has cut the request: it has not failed, and is due. */
  async #deliver(events: readonly StoredEvent[]): Promise<Delivery | undefined> {
    const { time } = this.#context;
    const message = messageOf(events, this.#webhook.delivery);
    const { headers, body } = signedRequest(this.#secret, message, this.#context.time.now());
    const asked = { atMs: time.elapsed() };
    this.#asked.add(asked);
    try {
      const url = new URL(this.#webhook.url);
      const delivery = await this.#options.send(url, headers, body, this.#signal);
      if (this.#signal.aborted && !delivery.isTaken) return undefined;
      this.#webhook.tookMs = Math.round(time.elapsed() - asked.atMs);
      return delivery;
    } finally {
      this.#asked.delete(asked);
    }
  }

  #delayMs(attempts: number): number {
    return Math.round(growingPause(attempts, PAUSE, this.#options.random()));
  }
}

/** One event, or a batch with the first and the last number as its id. */
function messageOf(events: readonly StoredEvent[], delivery: WebhookDelivery): WebhookMessage {
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) throw new Error('Invariant: a request has an event');
  if (delivery !== 'batch') {
    const type = `tracker.${kindOf(first.event)}`;
    return { id: String(first.sequenceNumber), type, data: presentEvent(first) };
  }
  const id = `${first.sequenceNumber}-${last.sequenceNumber}`;
  return { id, type: 'tracker.batch', data: events.map(presentEvent) };
}

function inParts<T>(items: readonly T[], length: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += length) {
    parts.push(items.slice(start, start + length));
  }
  return parts;
}
