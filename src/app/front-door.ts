import type { Server, ServerResponse } from 'node:http';
import { errorOccurrence } from '../http/error-occurrence.ts';
import type { Logger } from '../services/context.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** A start that takes longer than this is reported to clients. */
const OPENS_AFTER_MS = 1000;
const RETRY_AFTER_SECONDS = 5;

/** Not by `import`, which would load Node's own fetch too: see `http/errors.ts`. */
const { createServer } = process.getBuiltinModule('node:http');

/**
 * Answers while the server cannot start yet, because the schema is being changed or may not be
 * changed before others have stopped: it is alive, so that it is not restarted, and not ready.
 */
export class FrontDoor {
  readonly #logger: Logger;
  readonly #server: Server;
  readonly #opening: NodeJS.Timeout;
  #why = 'The server is starting: it opens its database and its journal';

  constructor({ HOST: host, PORT: port }: Pick<Settings, 'HOST' | 'PORT'>, logger: Logger) {
    this.#logger = logger;
    this.#server = createServer((request, response) => this.#answer(request.url ?? '', response));
    // The server itself reports if it cannot listen there.
    this.#server.on('error', () => {});
    this.#opening = setTimeout(() => this.#server.listen({ port, host }), OPENS_AFTER_MS);
  }

  /** Its address, if it listens. */
  get port(): number | undefined {
    const address = this.#server.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  /** The reason of the wait. */
  say(why: string): void {
    if (this.#why !== why) this.#logger.warn({}, why);
    this.#why = why;
  }

  async close(): Promise<void> {
    clearTimeout(this.#opening);
    if (!this.#server.listening) return;
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  #answer(url: string, response: ServerResponse): void {
    const isLive = url.split('?')[0] === '/health/live';
    const answer = isLive
      ? { status: 'live', version: VERSION }
      : errorOccurrence(503, this.#why, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    if ('id' in answer) this.#logger.info({ errorId: answer.id, status: 503 }, this.#why);
    const body = JSON.stringify(answer);
    response.writeHead(isLive ? 200 : 503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
      ...(isLive ? {} : { 'retry-after': String(RETRY_AFTER_SECONDS) }),
    });
    response.end(body);
  }
}
