import { setTimeout as wait } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Pool } from 'undici';
import { growingPause } from '../../domain/growing-pause.ts';
import { exchange, type HttpAnswer, httpPool } from '../connection/http-exchange.ts';
import { openSocket } from '../connection/open-socket.ts';
import type { ServerAddress } from '../connection/server-address.ts';
import { TransportError, unreachable } from '../connection/transport-error.ts';
import type { PlatformError } from '../gateway.ts';
import { BridgeCalls, callName } from './bridge-calls.ts';
import type { BridgeLimits } from './limits.ts';
import { type BridgeFailure, isMissing, mayPass, platformErrorOf } from './return-code.ts';
import { bridgeError } from './wire.ts';

export type BridgeCall = {
  method: 'GET' | 'POST' | 'PATCH';
  /** Below /v1, already encoded. */
  path: string;
  body?: object | undefined;
  /** For calls other than GET: whether repeating is harmless. */
  isRepeatable?: boolean | undefined;
  /** Makes a POST safe to repeat. */
  idempotencyKey?: string | undefined;
};

type Answer = HttpAnswer & { text: string };

const errorCheck = Compile(bridgeError);
const MAX_MESSAGE = 200;
const RETRY_SECONDS = 10;

/** Calls of a bridge: authenticated, bounded in time and size, repeated if that is safe. */
export class BridgeClient {
  readonly #token: string;
  readonly #limits: BridgeLimits;
  readonly #pool: Pool;
  readonly #closing = new AbortController();
  readonly calls = new BridgeCalls();

  constructor(address: ServerAddress, token: string, limits: BridgeLimits) {
    this.#token = token;
    this.#limits = limits;
    this.#pool = httpPool(address, limits.maxConnections, () =>
      openSocket(address, limits, this.#closing.signal),
    );
  }

  /**
   * The answer of a call, checked against its schema; undefined for 404, which means that there is
   * no such login. Throws PlatformError only: `unsupported` for a missing call, and `unavailable`
   * for an answer of another shape, which proves nothing.
   */
  async call<S extends TSchema>(schema: S, call: BridgeCall): Promise<Static<S> | undefined> {
    const name = callName(call.method, call.path);
    this.calls.require(name);
    const answer = await this.#answerOf(call);
    if (answer === 'none') throw this.calls.lack(name);
    if (answer) return read(schema, answer);
    const login = loginOf(call);
    // Without a login, or if another call knows the login, it is the call that is missing.
    if (login === undefined) throw this.calls.lack(name);
    if (await this.#knows(login, name)) throw this.calls.lack(name);
    return undefined;
  }

  /** Whether a call other than the named one has an answer about a login. */
  async #knows(login: string, name: string): Promise<boolean> {
    for (const path of [`/users/${login}`, `/accounts/${login}`]) {
      const witness = callName('GET', path);
      if (witness === name || this.calls.missingOf([witness]).length > 0) continue;
      const answer = await this.#answerOf({ method: 'GET', path });
      if (answer === 'none') this.calls.lack(witness);
      else if (answer) return true;
    }
    return false;
  }

  /** The answer of a call; undefined for 404, `none` for a missing call. */
  async #answerOf(call: BridgeCall): Promise<Answer | 'none' | undefined> {
    const isRepeatable =
      call.method === 'GET' || call.isRepeatable === true || call.idempotencyKey !== undefined;
    const tries = isRepeatable ? this.#limits.maxTries : 1;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#try(call);
      if ('answer' in outcome) return outcome.answer;
      const pauseMs = this.#pauseMs(attempt, outcome.retryAfterSeconds);
      if (attempt >= tries || !outcome.mayPass || pauseMs === undefined) throw outcome.error;
      await wait(pauseMs);
    }
  }

  close(): void {
    this.#closing.abort();
    this.#pool.destroy().catch(() => undefined);
  }

  async #try(
    call: BridgeCall,
  ): Promise<
    | { answer: Answer | 'none' | undefined }
    | { error: PlatformError; mayPass: boolean; retryAfterSeconds?: number | undefined }
  > {
    let answer: Answer;
    try {
      answer = await this.#exchange(call);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return { error: unreachable(error, RETRY_SECONDS), mayPass: true };
    }
    if (answer.status >= 200 && answer.status < 300) return { answer };
    const failure = failureOf(answer);
    if (answer.status === 404 && failure.code === undefined) return { answer: undefined };
    if (isMissing(answer.status) && failure.code === undefined) return { answer: 'none' };
    const { retryAfterSeconds } = failure;
    return { error: platformErrorOf(failure), mayPass: mayPass(failure), retryAfterSeconds };
  }

  #pauseMs(attempt: number, retryAfterSeconds: number | undefined): number | undefined {
    const { retryMs, maxRetryMs } = this.#limits;
    const ownMs = growingPause(attempt, { firstMs: retryMs, maxMs: maxRetryMs });
    const pauseMs = Math.max(ownMs, (retryAfterSeconds ?? 0) * 1000);
    return pauseMs > maxRetryMs ? undefined : pauseMs;
  }

  async #exchange({ method, path, body, idempotencyKey }: BridgeCall): Promise<Answer> {
    const { connectMs, answerMs } = this.#limits;
    const chunks: Buffer[] = [];
    const answer = await exchange(
      this.#pool,
      {
        method,
        path: `/v1${path}`,
        headers: {
          accept: 'application/json',
          ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
          'user-agent': 'Plimsoll',
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      },
      { ...this.#limits, answerMs: connectMs + answerMs },
      (chunk) => chunks.push(chunk),
    );
    return { ...answer, text: Buffer.concat(chunks).toString('utf8') };
  }
}

/** The login in a call's path or query. */
const loginOf = ({ path }: BridgeCall): string | undefined =>
  /^\/[^/?]+\/(\d+)/.exec(path)?.[1] ?? /[?&]login=(\d+)/.exec(path)?.[1];

const validators = new WeakMap<TSchema, { Check(value: unknown): boolean }>();

function read<S extends TSchema>(schema: S, answer: Answer): Static<S> {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  const value = parse(answer.text);
  if (!validator.Check(value)) {
    const cause = new TransportError('The bridge answered in an unknown format', { sent: true });
    throw unreachable(cause, RETRY_SECONDS);
  }
  return value as Static<S>;
}

function failureOf({ status, headers, text }: Answer): BridgeFailure {
  const value = parse(text);
  const known = errorCheck.Check(value) ? value : undefined;
  const seconds = Number(headers['retry-after']);
  return {
    status,
    code: known?.code,
    message: (known?.message ?? '').slice(0, MAX_MESSAGE),
    retryAfterSeconds: Number.isInteger(seconds) && seconds > 0 ? seconds : undefined,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
