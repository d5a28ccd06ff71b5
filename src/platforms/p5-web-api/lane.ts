import { setTimeout as delay } from 'node:timers/promises';
import { growingPause } from '../../domain/growing-pause.ts';
import type { ServerAddress } from '../connection/server-address.ts';
import { TransportError, unreachable } from '../connection/transport-error.ts';
import { PlatformError } from '../gateway.ts';
import type { P5Limits } from './limits.ts';
import type { P5Record } from './record.ts';
import { isOverload, platformErrorOf, RetcodeError } from './retcode.ts';
import { type P5Command, type P5Credentials, P5Session } from './session.ts';

export type P5Call = P5Command & {
  /** False for calls that must not run twice: a lost answer is then an error. */
  repeatable?: boolean;
};

/** Runs a command on one session. Throws RetcodeError or PlatformError. */
export type Say = (call: P5Call) => Promise<P5Record>;

/** The session could not be opened: no command with an effect was sent. */
export class NoSession extends Error {
  readonly error: PlatformError;
  constructor(error: PlatformError) {
    super(error.message);
    this.error = error;
  }
}

const OVERLOAD_RETRY_SECONDS = 2;

/** Reports of a lane to the others that share its server. */
export type LaneEvents = { opened: () => void; lost: () => void; overloaded: () => void };

/** One session at a time, opened when needed and replaced when lost. */
export class P5Lane {
  readonly #address: ServerAddress;
  readonly #credentials: P5Credentials;
  readonly #limits: P5Limits;
  readonly #closing: AbortSignal;
  readonly #events: LaneEvents;
  #session: P5Session | undefined;
  isBusy = false;
  /** Since the last check of the ping timer. */
  wasUsed = false;

  constructor(
    connection: { address: ServerAddress; credentials: P5Credentials; limits: P5Limits },
    closing: AbortSignal,
    events: LaneEvents,
  ) {
    this.#address = connection.address;
    this.#credentials = connection.credentials;
    this.#limits = connection.limits;
    this.#closing = closing;
    this.#events = events;
  }

  get alive(): boolean {
    return this.#session?.alive === true;
  }

  /** Throws NoSession, RetcodeError for a refusal of the values, PlatformError for all else. */
  readonly say: Say = async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const session = await this.#open();
      this.wasUsed = true;
      try {
        return await session.request(call);
      } catch (error) {
        const pauseMs = this.#pauseBeforeRetry(error, call, attempt);
        if (pauseMs === undefined) throw finalError(error);
        if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false });
      }
    }
  };

  close(): void {
    this.#session?.close();
  }

  /** Milliseconds until the next try; undefined if there should be none. */
  #pauseBeforeRetry(error: unknown, call: P5Call, attempt: number): number | undefined {
    if (this.#closing.aborted) return undefined;
    if (isOverload(error)) {
      this.#events.overloaded();
      const { maxTries, retryMs, maxRetryMs } = this.#limits;
      const bounds = { firstMs: retryMs, maxMs: maxRetryMs };
      return attempt < maxTries ? growingPause(attempt, bounds, Math.random()) : undefined;
    }
    if (!(error instanceof TransportError) || attempt > 1) return undefined;
    if (error.timedOut || error.isTooLarge) return undefined;
    return !error.sent || (call.repeatable ?? true) ? 0 : undefined;
  }

  async #open(): Promise<P5Session> {
    if (this.#session?.alive) return this.#session;
    if (this.#session) this.#events.lost();
    this.#session = undefined;
    try {
      const [address, credentials] = [this.#address, this.#credentials];
      this.#session = await P5Session.open(address, credentials, this.#limits, this.#closing);
      this.#events.opened();
      return this.#session;
    } catch (error) {
      throw new NoSession(connectErrorOf(error));
    }
  }
}

/** Why there is no session. Nothing sent so far makes changes, so there was no effect. */
function connectErrorOf(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof RetcodeError) {
    const { code, message, retryAfterSeconds } = platformErrorOf(error);
    const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return new PlatformError(code === 'unavailable' ? code : 'denied', message, retry);
  }
  const cause = error instanceof Error ? error.message : 'unknown';
  return unreachable(new TransportError(cause, { cause: error }), OVERLOAD_RETRY_SECONDS);
}

/** Refusals are passed on: the caller knows what they mean. */
function finalError(error: unknown): unknown {
  if (error instanceof TransportError) return unreachable(error, OVERLOAD_RETRY_SECONDS);
  return error;
}
