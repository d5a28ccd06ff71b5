import { takeBegun } from '../../claims/take-begun.ts';
import { Rounds } from '../../domain/rounds.ts';
import { findWebhooks, listDueWebhooks, wakeWebhooks } from '../../storage/webhook-store.ts';
import type { Worker } from '../worker.ts';
import {
  type HeldWebhook,
  MAX_RETRY_MS,
  type SenderContext,
  type SenderOptions,
  SLOW_MS,
  WebhookTurn,
} from './webhook-turn.ts';

const PATROL_MS = 1000;
/** Due webhooks examined to find those whose turn it is. */
const LOOKED_AT = 256;

/**
 * Turns at a time, and of one user. Slow targets have separate places, and a turn counts as slow
 * once it has waited for SLOW_MS: so places of fast ones become free within a second.
 */
type Lane = { isSlow: boolean; process: number; user: number };
const LANES: readonly Lane[] = [
  { isSlow: false, process: 64, user: 3 },
  { isSlow: true, process: 64, user: 2 },
];
/** Turns that became slow after they began may exceed that lane's places. */
const TURNS_AT_ONCE = 256;

/**
 * Sends events to webhooks, each event at least once: in the order of the feed, unless a webhook
 * accepts several at a time. An event wakes the webhooks of its user only.
 */
export class WebhookSender implements Worker {
  readonly #context: SenderContext;
  readonly #options: SenderOptions;
  readonly #stopping = new AbortController();
  readonly #turns = new Map<string, { userId: string; ended: Promise<void>; turn: WebhookTurn }>();
  readonly #rounds: Rounds;
  #unsubscribe = (): void => {};

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
    this.#unsubscribe = database.listen('plimsoll_events', () => this.#rounds.wake());
    this.#rounds.patrol(time, PATROL_MS);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stopping.abort();
    await this.#rounds.stop();
    await Promise.all(Array.from(this.#turns.values(), ({ ended }) => ended));
  }

  async #startTurns(): Promise<void> {
    await wakeWebhooks(this.#context.database);
    for (const lane of LANES) await this.#startIn(lane);
  }

  /** Fills the free places of a lane, except for users who have their share. */
  async #startIn({ isSlow, process, user: share }: Lane): Promise<void> {
    const { database, time } = this.#context;
    const { settingIds } = this.#options.secrets;
    const running = [...this.#turns.values()];
    const inLane = running.filter(({ turn }) => turn.isSlow === isSlow);
    const free = Math.min(process - inLane.length, TURNS_AT_ONCE - running.length);
    if (free <= 0) return;
    // Of both lanes: a user whose slow targets are being served gets no more turns for them.
    const byUser = new Map<string, number>();
    const count = (userId: string): number => byUser.get(userId) ?? 0;
    for (const { userId } of running) byUser.set(userId, count(userId) + 1);
    const exceptUsers = [...byUser.keys()].filter((userId) => count(userId) >= share);
    const among = { isSlow, slowMs: SLOW_MS, exceptUsers, limit: LOOKED_AT };
    const due = await listDueWebhooks(database, time.now(), MAX_RETRY_MS, settingIds, among);
    const ids: string[] = [];
    for (const { id, userId } of due) {
      // One whose turn is just ending waits for the next round.
      if (ids.length >= free || count(userId) >= share || this.#turns.has(id)) continue;
      byUser.set(userId, count(userId) + 1);
      ids.push(id);
    }
    for (const held of await this.#take(ids)) this.#begin(held);
    // There were more than it examined: now that some have begun, it finds others.
    if (ids.length > 0 && due.length === LOOKED_AT) this.#rounds.wake();
  }

  #begin(held: HeldWebhook): void {
    const { id, userId } = held.webhook;
    const turn = new WebhookTurn(this.#context, this.#options, this.#stopping.signal, held);
    const ended = this.#takeTurn(turn, held)
      .catch((error: unknown) => {
        this.#context.logger.warn({ err: error, webhookId: id }, 'a webhook cannot be served yet');
      })
      .finally(() => {
        this.#turns.delete(id);
        this.#rounds.wake();
      });
    this.#turns.set(id, { userId, ended, turn });
  }

  /** Claims webhooks, and reads their progress. */
  async #take(ids: readonly string[]): Promise<HeldWebhook[]> {
    const { database, claims } = this.#context;
    if (ids.length === 0) return [];
    const begun = await claims.taking((...how) =>
      database.transaction((tx) => takeBegun(tx, how, 'webhook', ids, findWebhooks)),
    );
    return begun.map(({ job, claim }) => ({ webhook: job, claim }));
  }

  async #takeTurn(turn: WebhookTurn, held: HeldWebhook): Promise<void> {
    try {
      await turn.run();
    } catch (error) {
      await this.#context.claims.release(held.claim).catch(() => {});
      throw error;
    }
  }
}
