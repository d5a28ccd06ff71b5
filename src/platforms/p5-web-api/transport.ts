import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TransportError } from '../connection/open-socket.ts';
import type { ServerAddress } from '../connection/server-address.ts';
import type { P5Limits } from './limits.ts';

/** Hands out its one socket once: a session can never move to another connection unnoticed. */
export class OneSocketAgent extends Agent {
  #socket: Socket | undefined;
  constructor(socket: Socket) {
    super({ keepAlive: true, maxSockets: 1, maxTotalSockets: 1 });
    this.#socket = socket;
  }
  override createConnection(): Duplex {
    const socket = this.#socket;
    if (!socket) throw new TransportError('The connection to the trading server has ended');
    this.#socket = undefined;
    return socket;
  }
}

export type HttpExchange = { path: string; body?: string | undefined; cookie?: string | undefined };
export type HttpAnswer = { status: number; body: Buffer; setCookie: readonly string[] };

/** One request and its whole answer, within the limits. Throws TransportError only. */
export function exchange(
  agent: OneSocketAgent,
  address: ServerAddress,
  limits: P5Limits,
  { path, body, cookie }: HttpExchange,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error instanceof TransportError ? error : lost(error));
      outgoing.destroy();
    };
    const outgoing = request(
      {
        agent,
        host: address.host,
        port: address.port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          connection: 'keep-alive',
          // The server wants this type even though bodies are JSON.
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': 'Plimsoll',
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...(cookie === undefined ? {} : { cookie }),
        },
      },
      (incoming) => {
        clearTimeout(timer);
        timer = setTimeout(() => fail(timeOut('stopped in the middle of')), limits.bodyMs);
        readBody(incoming, limits.maxBodyBytes).then((bytes) => {
          clearTimeout(timer);
          const setCookie = incoming.headers['set-cookie'] ?? [];
          resolve({ status: incoming.statusCode ?? 0, body: bytes, setCookie });
        }, fail);
      },
    );
    let timer = setTimeout(() => fail(timeOut('gave no answer to')), limits.answerMs);
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes)
      throw new TransportError('The answer of the trading server is too large', { sent: true });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const timeOut = (what: string): TransportError =>
  new TransportError(`The trading server ${what} a request`, { sent: true, timedOut: true });

// Only the code: the message of a parser error may quote what the server sent.
const lost = (error: NodeJS.ErrnoException): TransportError =>
  new TransportError(`The connection to the trading server broke (${error.code ?? 'unknown'})`, {
    sent: true,
  });
