import type { Channel } from '../database.ts';

/**
 * Announces what was committed, in statements of their own: within a transaction an announcement
 * makes all commits of the database wait for each other. While one is on its way, only the newest
 * on its channel waits for the next.
 */
export class PostgresAnnouncer {
  readonly #notify: (channel: Channel, payload: string) => Promise<unknown>;
  readonly #waiting = new Map<Channel, string>();
  #sending: Promise<void> | undefined;

  constructor(notify: (channel: Channel, payload: string) => Promise<unknown>) {
    this.#notify = notify;
  }

  announce(channel: Channel, payload: string): void {
    this.#waiting.set(channel, payload);
    this.#sending ??= this.#send();
  }

  async settle(): Promise<void> {
    await this.#sending;
  }

  /** Ends in the very turn in which it finds nothing waiting: what comes later begins anew. */
  async #send(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (!next) {
        this.#sending = undefined;
        return;
      }
      const [channel, payload] = next;
      this.#waiting.delete(channel);
      // Lost with the connection: listeners look by themselves now and then.
      await this.#notify(channel, payload).catch(() => {});
    }
  }
}
