import { Agent, type IncomingMessage, request } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { P5Limits } from './limits.ts';
import type { ServerAddress } from './server-address.ts';

/**
 * The connection failed. `sent`: the request may have reached the server. `refused`: the server is
 * not the one to talk to (its certificate), so trying again changes nothing.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly sent: boolean;
  readonly timedOut: boolean;
  readonly refused: boolean;
  constructor(
    message: string,
    flags: { sent?: boolean; timedOut?: boolean; refused?: boolean } = {},
  ) {
    super(message);
    this.sent = flags.sent ?? false;
    this.timedOut = flags.timedOut ?? false;
    this.refused = flags.refused ?? false;
  }
}

const CERTIFICATE_ERRORS = /CERT|UNABLE_TO_|SELF_SIGNED|ERR_TLS/;

/** Opens the one connection of a session; resolves once its certificate is found good. */
export function openSocket(
  address: ServerAddress,
  limits: Pick<P5Limits, 'connectMs'>,
  signal?: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = address.secure ? tlsSocket(address) : connectTcp(address.port, address.host);
    const timer = setTimeout(
      () => fail(new TransportError('The trading server did not accept a connection in time')),
      limits.connectMs,
    );
    const fail = (error: TransportError): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    // Ends the connection at any time, whatever it is used for by then.
    const end = (): void => fail(new TransportError('The connection is closed'));
    signal?.addEventListener('abort', end, { once: true });
    socket.once('close', () => signal?.removeEventListener('abort', end));
    socket.on('error', (error: NodeJS.ErrnoException) => fail(connectError(error)));
    socket.on('close', () => fail(new TransportError('The trading server closed the connection')));
    socket.once(address.secure ? 'secureConnect' : 'connect', () => {
      const reason = address.secure ? pinMismatch(socket as TLSSocket, address) : undefined;
      if (reason) return fail(new TransportError(reason, { refused: true }));
      clearTimeout(timer);
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}

function tlsSocket(address: ServerAddress): TLSSocket {
  return connectTls({
    host: address.host,
    port: address.port,
    minVersion: 'TLSv1.2',
    ...(isIP(address.host) === 0 ? { servername: address.host } : {}),
    ...(address.ca === undefined ? {} : { ca: address.ca }),
    // A pin replaces the chain: the certificate itself is compared before the first byte is sent.
    rejectUnauthorized: address.fingerprint === undefined,
  });
}

function pinMismatch(socket: TLSSocket, address: ServerAddress): string | undefined {
  if (address.fingerprint === undefined) return undefined;
  const seen = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
  return seen === address.fingerprint
    ? undefined
    : "The trading server's certificate is not the pinned one";
}

function connectError(error: NodeJS.ErrnoException): TransportError {
  const code = error.code ?? 'unknown error';
  return CERTIFICATE_ERRORS.test(code)
    ? new TransportError(`The trading server's certificate was not accepted (${code})`, {
        refused: true,
      })
    : new TransportError(`The trading server can't be reached (${code})`);
}

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
