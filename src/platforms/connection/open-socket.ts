import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
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

/**
 * Opens a connection; resolves once its certificate is found good. Throws TransportError only. The
 * signal ends the connection at any time.
 */
export function openSocket(
  address: ServerAddress,
  { connectMs }: { connectMs: number },
  signal?: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = address.secure ? tlsSocket(address) : connectTcp(address.port, address.host);
    const timer = setTimeout(
      () => fail(new TransportError('The trading server did not accept a connection in time')),
      connectMs,
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
