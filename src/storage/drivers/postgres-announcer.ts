import { Rounds } from '../../domain/rounds.ts';
import type { Channel } from '../database.ts';

/**
 * Announces what was committed, in separate statements: within a transaction an announcement would
 * make all commits of the database wait for each other. While some are being sent, only the newest
 * one on each channel is kept for the next sending.
 */
export class PostgresAnnouncer {
  readonly #notify: (channel: Channel, payload: string) => Promise<unknown>;
  readonly #waiting = new Map<Channel, string>();
  readonly #rounds = new Rounds(
    () => this.#send(),
    () => {},
  );

  constructor(notify: (channel: Channel, payload: string) => Promise<unknown>) {
    this.#notify = notify;
  }

  announce(channel: Channel, payload: string): void {
    this.#waiting.set(channel, payload);
    this.#rounds.wake();
  }

  settle(): Promise<void> {
    return this.#rounds.settle();
  }

  async #send(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    // One may be lost with the connection: listeners also check from time to time.
    for (const [channel, payload] of waiting) await this.#notify(channel, payload).catch(() => {});
  }
}
