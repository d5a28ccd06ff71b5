import { Rounds } from '../domain/rounds.ts';
import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Delivery } from '../network/send-webhook.ts';
import type { Database } from '../storage/database.ts';
import {
  leaseWebhook,
  listDueWebhooks,
  type Webhook,
  wakeWebhooks,
} from '../storage/webhook-store.ts';
import { MAX_RETRY_MS, WebhookTurn } from './webhook-turn.ts';

const PATROL_MS = 1000;
const WEBHOOKS_AT_ONCE = 32;
/** After it another process may send, as when this one is killed. */
const LEASE_MS = 45_000;
const HORIZON = { retryMs: MAX_RETRY_MS, leaseMs: LEASE_MS };

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

/**
 * Sends events to webhooks, each event at least once: in the order of the feed, unless a webhook
 * wants several at a time. An event wakes the webhooks of its user only.
 */
export class WebhookSender {
  readonly #context: SenderContext;
  readonly #options: SenderOptions;
  readonly #stopping = new AbortController();
  readonly #turns = new Map<string, Promise<void>>();
  readonly #rounds: Rounds;
  #deafen = (): void => {};

  constructor(context: SenderContext, options: SenderOptions) {
    this.#context = context;
    this.#options = options;
    this.#rounds = new Rounds(
      () => this.#startTurns(),
      (error) => context.logger.warn({ err: error }, 'webhooks cannot be looked after yet'),
    );
  }

  start(): void {
    const { database, time } = this.#context;
    this.#deafen = database.listen('plimsoll_events', () => this.#rounds.wake());
    this.#rounds.patrol(time, PATROL_MS);
  }

  async stop(): Promise<void> {
    this.#deafen();
    this.#stopping.abort();
    await this.#rounds.stop();
    await Promise.all(this.#turns.values());
  }

  async #startTurns(): Promise<void> {
    const { database, time } = this.#context;
    await wakeWebhooks(database);
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
          this.#rounds.wake();
        });
      this.#turns.set(webhook.id, turn);
    }
  }

  async #takeTurn(webhook: Webhook, leaseMs: number): Promise<void> {
    const secret = await this.#options.secrets.open(webhook.secret, webhook.id);
    const held = { webhook, leaseMs, secret };
    await new WebhookTurn(this.#context, this.#options, this.#stopping.signal, held).run();
  }
}
