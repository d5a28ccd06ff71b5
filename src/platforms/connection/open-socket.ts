import type { LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { resolveTarget } from './resolve-target.ts';
import type { ServerAddress } from './server-address.ts';
import { TransportError } from './transport-error.ts';

const CERTIFICATE_ERRORS = /CERT|UNABLE_TO_|SELF_SIGNED|ERR_TLS/;

/**
 * Opens a connection within `connectMs`, including the look-up of its name; resolves once its
 * certificate has been accepted. Throws TransportError only. The signal ends the connection at any
 * time.
 */
export async function openSocket(
  address: ServerAddress,
  { connectMs }: { connectMs: number },
  signal?: AbortSignal,
): Promise<Socket> {
  const startedMs = performance.now();
  const targets = await resolveTarget(address, connectMs);
  const leftMs = Math.max(1, connectMs - (performance.now() - startedMs));
  return connectTo(targets, address, leftMs, signal);
}

function connectTo(
  targets: LookupAddress[],
  address: ServerAddress,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new TransportError('The connection is closed'));
    const place = {
      host: address.host,
      port: address.port,
      autoSelectFamily: true,
      // The address that was checked, not one that the name may resolve to a moment later.
      lookup: (_host: string, _options: object, found: FoundAddresses) => found(null, targets),
    };
    const socket = address.secure ? tlsSocket(place, address) : connectTcp(place);
    const timer = setTimeout(
      () => fail(new TransportError('The server did not accept a connection in time')),
      withinMs,
    );
    const fail = (error: TransportError): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    // Ends the connection at any time, whatever uses it.
    const end = (): void => fail(new TransportError('The connection is closed'));
    signal?.addEventListener('abort', end, { once: true });
    socket.once('close', () => signal?.removeEventListener('abort', end));
    socket.on('error', (error: NodeJS.ErrnoException) => fail(connectError(error)));
    socket.on('close', () => fail(new TransportError('The server closed the connection')));
    socket.once(address.secure ? 'secureConnect' : 'connect', () => {
      const reason = address.secure ? pinMismatch(socket as TLSSocket, address) : undefined;
      if (reason) return fail(new TransportError(reason));
      clearTimeout(timer);
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}

type FoundAddresses = (error: Error | null, addresses: LookupAddress[]) => void;

function tlsSocket(place: ConnectionOptions, address: ServerAddress): TLSSocket {
  return connectTls({
    ...place,
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
    : "The server's certificate does not match tlsFingerprint";
}

function connectError(error: NodeJS.ErrnoException): TransportError {
  const code = error.code ?? 'unknown error';
  return CERTIFICATE_ERRORS.test(code)
    ? new TransportError(`The server's certificate is not trusted (${code})`)
    : new TransportError(`The server can't be reached (${code})`);
}
