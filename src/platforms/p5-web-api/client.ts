import { setTimeout as delay } from 'node:timers/promises';
import { TransportError } from '../connection/open-socket.ts';
import type { ServerAddress } from '../connection/server-address.ts';
import { PlatformError } from '../gateway.ts';
import type { P5Limits } from './limits.ts';
import type { P5Record } from './record.ts';
import { isOverload, platformErrorOf, RetcodeError } from './retcode.ts';
import { type P5Credentials, type P5Params, P5Session } from './session.ts';

const GOODBYE_MS = 500;

export type P5Call = {
  command: string;
  params?: P5Params;
  body?: P5Record;
  /** False for calls that must not run twice: a lost answer is then an error at once. */
  repeatable?: boolean;
};

/**
 * Runs commands one after the other over one session, opening a new session when the old one is
 * lost. A failed connect is followed by a growing pause in which calls fail at once.
 */
export class P5Client {
  readonly #address: ServerAddress;
  readonly #credentials: P5Credentials;
  readonly #limits: P5Limits;
  #session: P5Session | undefined;
  #pinger: NodeJS.Timeout | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #queued = 0;
  #failures = 0;
  readonly #closing = new AbortController();
  #blocked: { untilMs: number; error: PlatformError } | undefined;

  constructor(address: ServerAddress, credentials: P5Credentials, limits: P5Limits) {
    this.#address = address;
    this.#credentials = credentials;
    this.#limits = limits;
  }

  /**
   * The whole answer of a command. Throws RetcodeError for a refusal that is about the values,
   * PlatformError for everything else. An aborted caller leaves; a request under way still ends,
   * because cutting it would end the session of all.
   */
  call(call: P5Call, signal?: AbortSignal): Promise<P5Record> {
    if (this.#closed) return Promise.reject(unavailable('The connection is closed', 1));
    if (this.#queued >= this.#limits.maxQueuedCalls)
      return Promise.reject(unavailable('Too many calls wait for the trading server', 5));
    this.#queued += 1;
    return new Promise((resolve, reject) => {
      const waiting = new AbortController();
      const giveUp = (error: PlatformError): void => {
        waiting.abort();
        reject(error);
      };
      const onAbort = (): void => giveUp(unavailable('The call was given up', 1));
      const timer = setTimeout(
        () => giveUp(unavailable('The trading server is too slow for the calls waiting', 5)),
        this.#limits.queueMs,
      );
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#queued -= 1;
      };
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort);
      this.#tail = this.#tail.then(async () => {
        clearTimeout(timer);
        try {
          if (!waiting.signal.aborted) resolve(await this.#run(call));
        } catch (error) {
          reject(error);
        } finally {
          settle();
        }
      });
    });
  }

  /** Says goodbye when nothing is under way; a call under way is cut. */
  async close(): Promise<void> {
    if (this.#closed) return;
    clearInterval(this.#pinger);
    if (this.#session?.alive && this.#queued === 0) {
      const goodbye = this.call({ command: '/api/quit' }).catch(() => undefined);
      await Promise.race([goodbye, delay(GOODBYE_MS, undefined, { ref: false })]);
    }
    this.#closing.abort();
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #run(call: P5Call): Promise<P5Record> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const session = await this.#open();
        return await session.request(call.command, call.params, call.body);
      } catch (error) {
        const pauseMs = this.#pauseBeforeRetry(error, call, attempt);
        if (pauseMs === undefined) throw finalError(error);
        if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false });
      }
    }
  }

  /** Milliseconds to wait before the next try; undefined when there should be none. */
  #pauseBeforeRetry(error: unknown, call: P5Call, attempt: number): number | undefined {
    if (this.#closed) return undefined;
    if (isOverload(error))
      return attempt < this.#limits.maxTries
        ? this.#limits.retryMs * 2 ** (attempt - 1)
        : undefined;
    if (!(error instanceof TransportError) || error.timedOut || attempt > 1) return undefined;
    return !error.sent || (call.repeatable ?? true) ? 0 : undefined;
  }

  async #open(): Promise<P5Session> {
    if (this.#closed) throw unavailable('The connection is closed', 1);
    if (this.#session?.alive) return this.#session;
    this.#session = undefined;
    const nowMs = performance.now();
    if (this.#blocked && nowMs < this.#blocked.untilMs) throw this.#blocked.error;
    try {
      const { signal } = this.#closing;
      this.#session = await P5Session.open(this.#address, this.#credentials, this.#limits, signal);
    } catch (error) {
      throw this.#block(error);
    }
    this.#failures = 0;
    this.#blocked = undefined;
    this.#startPing();
    return this.#session;
  }

  /** Remembers a failed connect, so that calls fail at once until the next try is due. */
  #block(error: unknown): PlatformError {
    const { retryMs, maxRetryMs, deniedMs } = this.#limits;
    const known = connectErrorOf(error);
    const growing = Math.min(retryMs * 2 ** this.#failures, maxRetryMs);
    // Spread over half a pause, so that many profiles of one server don't come back together.
    const pauseMs = known.code === 'denied' ? deniedMs : growing * (0.75 + Math.random() / 2);
    this.#failures += 1;
    const lasting = new PlatformError(known.code, known.message, {
      retryAfterSeconds: Math.max(1, Math.ceil(pauseMs / 1000)),
    });
    this.#blocked = { untilMs: performance.now() + pauseMs, error: lasting };
    return lasting;
  }

  #startPing(): void {
    clearInterval(this.#pinger);
    this.#pinger = setInterval(() => {
      if (!this.#session?.alive) return clearInterval(this.#pinger);
      if (this.#queued === 0) this.call({ command: '/api/test/access' }).catch(() => undefined);
    }, this.#limits.pingMs).unref();
  }
}

function connectErrorOf(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof RetcodeError) {
    const mapped = platformErrorOf(error);
    return mapped.code === 'invalid' ? new PlatformError('denied', mapped.message) : mapped;
  }
  const refused = error instanceof TransportError && error.refused;
  return new PlatformError(refused ? 'denied' : 'unavailable', messageOf(error));
}

/** Refusals stay as they are: the caller knows what a refusal of its values means. */
function finalError(error: unknown): Error {
  if (error instanceof PlatformError) return error;
  if (error instanceof RetcodeError) return error;
  return unavailable(messageOf(error), 2);
}

const messageOf = (error: unknown): string =>
  error instanceof TransportError ? error.message : 'The trading server sent something unexpected';

const unavailable = (message: string, retryAfterSeconds: number): PlatformError =>
  new PlatformError('unavailable', message, { retryAfterSeconds });
