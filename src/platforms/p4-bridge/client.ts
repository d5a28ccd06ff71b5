import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { openSocket, TransportError } from '../connection/open-socket.ts';
import type { ServerAddress } from '../connection/server-address.ts';
import { PlatformError } from '../gateway.ts';
import type { BridgeLimits } from './limits.ts';
import { type BridgeFailure, mayPass, platformErrorOf } from './return-code.ts';
import { bridgeError } from './wire.ts';

export type BridgeCall = {
  method: 'GET' | 'POST';
  /** Below /v1, already encoded. */
  path: string;
  body?: object | undefined;
  /** A POST that only reads. */
  readsOnly?: boolean | undefined;
  /** Makes a POST safe to repeat. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
};

type Answer = { status: number; headers: IncomingMessage['headers']; text: string };

const errorCheck = Compile(bridgeError);
const MAX_MESSAGE = 200;

/** Connections of which each was found to lead to the right certificate before its first byte. */
class TrustedAgent extends Agent {
  readonly #address: ServerAddress;
  readonly #connectMs: number;
  readonly #closing = new AbortController();
  constructor(address: ServerAddress, limits: BridgeLimits) {
    super({ keepAlive: true, maxSockets: limits.maxConnections });
    this.#address = address;
    this.#connectMs = limits.connectMs;
  }
  override destroy(): void {
    this.#closing.abort();
    super.destroy();
  }
  override createConnection(
    _options: object,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const limits = { connectMs: this.#connectMs };
    openSocket(this.#address, limits, this.#closing.signal).then(
      (socket) => callback?.(null, socket),
      // Node asks for the error alone where there is no connection.
      (error: Error) => (callback as ((error: Error) => void) | undefined)?.(error),
    );
  }
}

/** Calls of a bridge: authenticated, bounded in time and size, repeated where that is safe. */
export class BridgeClient {
  readonly #address: ServerAddress;
  readonly #token: string;
  readonly #limits: BridgeLimits;
  readonly #agent: TrustedAgent;

  constructor(address: ServerAddress, token: string, limits: BridgeLimits) {
    this.#address = address;
    this.#token = token;
    this.#limits = limits;
    this.#agent = new TrustedAgent(address, limits);
  }

  /**
   * The answer of a call, checked against its schema; undefined for 404. Throws PlatformError only:
   * an answer of another shape is `unavailable`, since nothing can be concluded from it.
   */
  async call<S extends TSchema>(schema: S, call: BridgeCall): Promise<Static<S> | undefined> {
    const isRepeatable =
      call.method === 'GET' || call.readsOnly === true || call.idempotencyKey !== undefined;
    const tries = isRepeatable ? this.#limits.maxTries : 1;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#try(call);
      if ('answer' in outcome) return read(schema, outcome.answer);
      const pauseMs = this.#pauseMs(attempt, outcome.retryAfterSeconds);
      if (attempt >= tries || !outcome.mayPass || pauseMs === undefined) throw outcome.error;
      await wait(pauseMs, undefined, { ...(call.signal ? { signal: call.signal } : {}) }).catch(
        (cause) => {
          throw new PlatformError('unavailable', 'The call was called off', { cause });
        },
      );
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #try(
    call: BridgeCall,
  ): Promise<
    | { answer: Answer | undefined }
    | { error: PlatformError; mayPass: boolean; retryAfterSeconds?: number | undefined }
  > {
    let answer: Answer;
    try {
      answer = await this.#exchange(call);
    } catch (cause) {
      const message = `The p4 bridge: ${cause instanceof Error ? cause.message : 'unknown'}`;
      // A certificate that is not trusted stays so until somebody looks at the profile.
      if (cause instanceof TransportError && cause.refused)
        return { error: new PlatformError('denied', message, { cause }), mayPass: false };
      const error = new PlatformError('unavailable', message, { cause, retryAfterSeconds: 10 });
      return { error, mayPass: call.signal?.aborted !== true };
    }
    if (answer.status >= 200 && answer.status < 300) return { answer };
    const failure = failureOf(answer);
    if (answer.status === 404 && failure.code === undefined) return { answer: undefined };
    const { retryAfterSeconds } = failure;
    return { error: platformErrorOf(failure), mayPass: mayPass(failure), retryAfterSeconds };
  }

  #pauseMs(attempt: number, retryAfterSeconds: number | undefined): number | undefined {
    const { retryMs, maxRetryMs } = this.#limits;
    const pauseMs = Math.max(retryMs * 2 ** (attempt - 1), (retryAfterSeconds ?? 0) * 1000);
    return pauseMs > maxRetryMs ? undefined : pauseMs;
  }

  #exchange(call: BridgeCall): Promise<Answer> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    return new Promise((resolve, reject) => {
      let outgoing: ClientRequest | undefined;
      const stop = (error: Error): void => {
        clearTimeout(timer);
        reject(error);
        outgoing?.destroy();
      };
      let timer = setTimeout(
        () => stop(new Error('gave no answer in time')),
        this.#limits.connectMs + this.#limits.answerMs,
      );
      outgoing = request(
        {
          agent: this.#agent,
          host: this.#address.host,
          port: this.#address.port,
          path: `/v1${call.path}`,
          method: call.method,
          ...(call.signal ? { signal: call.signal } : {}),
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${this.#token}`,
            'user-agent': 'Plimsoll',
            ...(call.idempotencyKey === undefined
              ? {}
              : { 'idempotency-key': call.idempotencyKey }),
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (incoming) => {
          clearTimeout(timer);
          timer = setTimeout(() => stop(new Error('stopped in the middle')), this.#limits.bodyMs);
          readText(incoming, this.#limits.maxBodyBytes).then((text) => {
            clearTimeout(timer);
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
          }, stop);
        },
      );
      outgoing.on('error', stop);
      outgoing.end(body);
    });
  }
}

async function readText(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('sent too large an answer');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

const validators = new WeakMap<TSchema, { Check(value: unknown): boolean }>();

function read<S extends TSchema>(schema: S, answer: Answer | undefined): Static<S> | undefined {
  if (!answer) return undefined;
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  const value = parse(answer.text);
  if (!validator.Check(value))
    throw new PlatformError('unavailable', 'The p4 bridge answered in a shape of its own', {
      retryAfterSeconds: 60,
    });
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
