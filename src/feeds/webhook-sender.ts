import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import type { Database } from '../storage/database.ts';
import { readEvents, type StoredEvent } from '../storage/event-store.ts';
import {
  type DeadLetter,
  deleteDeadLetter,
  leaseWebhook,
  listDeadLetters,
  listDueWebhooks,
  saveWebhook,
  type Webhook,
  writeDeadLetter,
} from '../storage/webhook-store.ts';
import { presentTrackerEvent } from './present-event.ts';
import { DELIVERY_MS, type Delivery } from './send-webhook.ts';
import { signedRequest } from './webhook-message.ts';

const PATROL_MS = 1000;
const WEBHOOKS_AT_ONCE = 32;
const EVENTS_PER_TURN = 20;
const DEAD_LETTERS_PER_TURN = 20;
/**
 * After it another process may send, as when this one is killed. A turn begins no delivery that could
 * last longer.
 */
const LEASE_MS = 45_000;
const MARGIN_MS = 5000;
const SAVE_RETRY_MS = 500;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 15 * 60_000;
const HORIZON = { retryMs: MAX_RETRY_MS, leaseMs: LEASE_MS };
/** With the delays above: about an hour and a half. */
const MAX_ATTEMPTS = 12;

export type SenderContext = {
  database: Database;
  time: Timekeeper;
  logger: { warn(fields: object, message: string): void };
};

export type SenderOptions = {
  /** Opens a sealed secret. */
  secrets: { open(sealed: string, webhookId: string): Promise<string> };
  /** Posts a body: see sendWebhook. */
  send: (
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ) => Promise<Delivery>;
  random: () => number;
};

/** Sends events to webhooks: each in the order of the feed, at least once, one at a time. */
export class WebhookSender {
  readonly #context: SenderContext;
  readonly #options: SenderOptions;
  readonly #stopping = new AbortController();
  readonly #turns = new Map<string, Promise<void>>();
  #deafen = (): void => {};
  #cancelPatrol = (): void => {};
  #looking: Promise<void> | undefined;

  constructor(context: SenderContext, options: SenderOptions) {
    this.#context = context;
    this.#options = options;
  }

  start(): void {
    this.#deafen = this.#context.database.listen('plimsoll_events', () => this.#look());
    this.#patrol();
  }

  async stop(): Promise<void> {
    this.#cancelPatrol();
    this.#deafen();
    this.#stopping.abort();
    await this.#looking;
    await Promise.all(this.#turns.values());
  }

  #patrol(): void {
    this.#cancelPatrol = this.#context.time.after(PATROL_MS, () => {
      this.#look();
      if (!this.#stopping.signal.aborted) this.#patrol();
    });
  }

  #look(): void {
    if (this.#stopping.signal.aborted) return;
    this.#looking ??= this.#startTurns()
      .catch((error: unknown) => {
        this.#context.logger.warn({ err: error }, 'webhooks cannot be looked after yet');
      })
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #startTurns(): Promise<void> {
    const { database, time } = this.#context;
    const free = WEBHOOKS_AT_ONCE - this.#turns.size;
    if (free <= 0) return;
    for (const webhook of await listDueWebhooks(database, time.now(), HORIZON, free)) {
      const leaseMs = time.now() + LEASE_MS;
      if (this.#turns.has(webhook.id)) continue;
      if (!(await leaseWebhook(database, webhook, leaseMs))) continue;
      const turn = this.#takeTurn(webhook, leaseMs)
        .catch((error: unknown) => {
          const fields = { err: error, webhookId: webhook.id };
          this.#context.logger.warn(fields, 'a webhook cannot be served yet');
        })
        .finally(() => {
          this.#turns.delete(webhook.id);
          this.#look();
        });
      this.#turns.set(webhook.id, turn);
    }
  }

  /** Sends what is next, up to a bound or the first failure, and notes how far it came. */
  async #takeTurn(webhook: Webhook, leaseMs: number): Promise<void> {
    const { database, time } = this.#context;
    const lastStartMs = leaseMs - DELIVERY_MS - MARGIN_MS;
    await this.#sendDeadLetters(webhook, lastStartMs);
    const filter = { userId: webhook.userId };
    const events = await readEvents(database, filter, webhook.lastNumber, EVENTS_PER_TURN);
    const state = { ...webhook, dueAtMs: time.now() };
    for (const event of events) {
      if (time.now() > lastStartMs) break;
      const { sequenceNumber } = event;
      if (webhook.events.includes(event.event.exceededThresholdType)) {
        const delivery = await this.#deliver(webhook, event);
        if (this.#stopping.signal.aborted && !delivery.isTaken) break;
        state.lastResult = delivery.result;
        if (!delivery.isTaken) {
          state.attempts += 1;
          if (state.attempts < MAX_ATTEMPTS) {
            state.dueAtMs = time.now() + this.#delayMs(state.attempts);
            break;
          }
          await this.#giveUp(webhook, sequenceNumber, state.attempts, delivery.result);
        }
      }
      state.lastNumber = sequenceNumber;
      state.attempts = 0;
    }
    await this.#save(state, leaseMs);
  }

  /** As long as the webhook is leased: else its next events would wait for the lease to end. */
  async #save(state: Webhook, leaseMs: number): Promise<void> {
    const { database, time } = this.#context;
    for (;;) {
      try {
        await saveWebhook(database, state, leaseMs);
        return;
      } catch (error) {
        const { signal } = this.#stopping;
        if (signal.aborted || time.now() > leaseMs - MARGIN_MS) throw error;
        await sleep(time, SAVE_RETRY_MS, signal);
      }
    }
  }

  async #sendDeadLetters(webhook: Webhook, lastStartMs: number): Promise<void> {
    const { database, time } = this.#context;
    const letters = await listDeadLetters(database, webhook.id, DEAD_LETTERS_PER_TURN, {
      onlyDue: true,
    });
    for (const letter of letters) {
      if (time.now() > lastStartMs) return;
      await this.#resend(webhook, letter);
    }
  }

  async #resend(webhook: Webhook, letter: DeadLetter): Promise<void> {
    const { database } = this.#context;
    const { sequenceNumber } = letter;
    const filter = { userId: webhook.userId };
    const [event] = await readEvents(database, filter, sequenceNumber - 1, 1);
    const isThere = event?.sequenceNumber === sequenceNumber;
    const delivery = isThere ? await this.#deliver(webhook, event) : undefined;
    if (!delivery || delivery.isTaken) await deleteDeadLetter(database, webhook.id, sequenceNumber);
    else await this.#giveUp(webhook, sequenceNumber, letter.attempts + 1, delivery.result);
  }

  async #giveUp(
    { id }: Webhook,
    sequenceNumber: number,
    attempts: number,
    lastResult: string,
  ): Promise<void> {
    const failedAtMs = this.#context.time.now();
    const letter = { webhookId: id, sequenceNumber, attempts, failedAtMs, lastResult };
    await writeDeadLetter(this.#context.database, { ...letter, dueAtMs: null });
  }

  async #deliver(webhook: Webhook, event: StoredEvent): Promise<Delivery> {
    const secret = await this.#options.secrets.open(webhook.secret, webhook.id);
    const message = {
      id: String(event.sequenceNumber),
      type: `tracker.${event.event.exceededThresholdType}`,
      data: presentTrackerEvent(event),
    };
    const { headers, body } = signedRequest(secret, message, this.#context.time.now());
    return this.#options.send(new URL(webhook.url), headers, body, this.#stopping.signal);
  }

  /** Twice as long after each failure, shortened by up to half at random. */
  #delayMs(attempts: number): number {
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS);
    return Math.round(delayMs * (1 - this.#options.random() / 2));
  }
}
