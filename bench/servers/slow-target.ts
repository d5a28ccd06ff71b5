import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const ANSWERS_AFTER_MS = 50;

/** A target of webhooks that takes its time for each request, and counts the events in them. */
export class SlowTarget implements AsyncDisposable {
  readonly #server = createServer(async (request, response) => {
    const { data } = (await json(request)) as { data: unknown };
    await sleep(ANSWERS_AFTER_MS);
    response.writeHead(204).end();
    this.#firstMs ??= performance.now() - ANSWERS_AFTER_MS;
    this.#taken += Array.isArray(data) ? data.length : 1;
    if (this.#taken >= this.#wanted) this.#done(performance.now() - this.#firstMs);
  });
  #firstMs: number | undefined;
  #taken = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #done = (_: number): void => {};

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  }

  /** Milliseconds that so many events take from the beginning of the first request. */
  take(events: number): Promise<number> {
    this.#firstMs = undefined;
    this.#taken = 0;
    this.#wanted = events;
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
