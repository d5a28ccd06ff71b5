import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import type { ServerAddress } from './server-address.ts';
import { TransportError } from './transport-error.ts';

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
};

export type HttpAnswer = { status: number; headers: IncomingHttpHeaders };

export type ExchangeLimits = {
  /** From the request, a connection included, to the head of its answer. */
  answerMs: number;
  /** From the head of an answer to its last byte. */
  bodyMs: number;
  maxBodyBytes: number;
};

/** Connections are kept as long as the other side keeps them. */
const KEEP_ALIVE_MS = 3_600_000;

/**
 * HTTP/1.1 over sockets that `connect` opens, each checked before its first byte; at most
 * `connections` at a time, one request at a time on each.
 */
export function httpPool(
  { host, port }: ServerAddress,
  connections: number,
  connect: () => Promise<import('node:net').Socket>,
): Pool {
  return new Pool(`http://${host.includes(':') ? `[${host}]` : host}:${port}`, {
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: (_options, connected) => {
      connect().then(
        (socket) => connected(null, socket),
        (error: Error) => connected(error, null),
      );
    },
  });
}

/**
 * One request and its whole answer within the limits; `read` gets the pieces of the body as they
 * arrive. Throws TransportError, and the errors of `read`.
 */
export async function exchange(
  pool: Pool,
  { path, method, headers, body }: HttpRequest,
  limits: ExchangeLimits,
  read: (chunk: Buffer) => void,
): Promise<HttpAnswer> {
  const timer = new Deadline(limits.answerMs, 'gave no answer to');
  try {
    const answer = await pool.request({
      ...{ path, method, headers, body: body ?? null },
      ...{ headersTimeout: 0, bodyTimeout: 0 },
      signal: timer.signal,
    });
    timer.restart(limits.bodyMs, 'stopped in the middle of');
    let size = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limits.maxBodyBytes)
        throw new TransportError('The answer of the server is too large', {
          ...{ sent: true, isTooLarge: true },
        });
      read(chunk);
    }
    return { status: answer.statusCode, headers: answer.headers };
  } catch (error) {
    throw transportErrorOf(error, timer);
  } finally {
    timer.stop();
  }
}

/** Aborts when its time is over; the time can be extended. */
class Deadline {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #what = '';

  constructor(ms: number, what: string) {
    this.restart(ms, what);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get message(): string {
    return `The server ${this.#what} a request`;
  }

  restart(ms: number, what: string): void {
    clearTimeout(this.#timer);
    this.#what = what;
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function transportErrorOf(error: unknown, timer: Deadline): unknown {
  if (timer.signal.aborted)
    return new TransportError(timer.message, { sent: true, timedOut: true, cause: error });
  if (error instanceof TransportError) return error;
  const { code, name } = error as NodeJS.ErrnoException;
  // One of our own errors, thrown by `read`.
  if (code === undefined && name !== 'AbortError') return error;
  // Only the code: the message of a parser error may quote the server's data.
  return new TransportError(`The connection to the server broke (${code ?? name})`, { sent: true });
}
