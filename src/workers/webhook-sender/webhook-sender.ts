import { Rounds } from '../../domain/rounds.ts';
import { findWebhooks, listDueWebhooks, wakeWebhooks } from '../../storage/webhook-store.ts';
import type { Worker } from '../worker.ts';
import {
  type HeldWebhook,
  MAX_RETRY_MS,
  type SenderContext,
  type SenderOptions,
  WebhookTurn,
} from './webhook-turn.ts';

const PATROL_MS = 1000;
const WEBHOOKS_AT_ONCE = 32;

/**
 * Sends events to webhooks, each event at least once: in the order of the feed, unless a webhook
 * wants several at a time. An event wakes the webhooks of its user only.
 */
export class WebhookSender implements Worker {
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
    const { database } = this.#context;
    await wakeWebhooks(database);
    const free = WEBHOOKS_AT_ONCE - this.#turns.size;
    if (free <= 0) return;
    for (const held of await this.#take(free)) {
      const { id } = held.webhook;
      const turn = this.#takeTurn(held)
        .catch((error: unknown) => {
          this.#context.logger.warn(
            { err: error, webhookId: id },
            'a webhook cannot be served yet',
          );
        })
        .finally(() => {
          this.#turns.delete(id);
          this.#rounds.wake();
        });
      this.#turns.set(id, turn);
    }
  }

  /** Claims webhooks that are due, and reads how far they have come by then. */
  async #take(limit: number): Promise<Omit<HeldWebhook, 'secret'>[]> {
    const { database, claims, time } = this.#context;
    const { settingIds } = this.#options.secrets;
    const due = await listDueWebhooks(database, time.now(), MAX_RETRY_MS, settingIds, limit);
    // One whose turn is just ending waits for the next round.
    const ids = due.map(({ id }) => id).filter((id) => !this.#turns.has(id));
    if (ids.length === 0) return [];
    return claims.taking((take) =>
      database.transaction(async (tx) => {
        const taken = new Map((await take(tx, 'webhook', ids)).map((claim) => [claim.key, claim]));
        const webhooks = await findWebhooks(tx, [...taken.keys()]);
        return webhooks.flatMap((webhook) => {
          const claim = taken.get(webhook.id);
          return claim ? [{ webhook, claim }] : [];
        });
      }),
    );
  }

  async #takeTurn(held: Omit<HeldWebhook, 'secret'>): Promise<void> {
    const { claims } = this.#context;
    try {
      const secret = await this.#options.secrets.open(held.webhook, held.webhook.id);
      await new WebhookTurn(this.#context, this.#options, this.#stopping.signal, {
        ...held,
        secret,
      }).run();
    } catch (error) {
      await claims.release(held.claim).catch(() => {});
      throw error;
    }
  }
}
