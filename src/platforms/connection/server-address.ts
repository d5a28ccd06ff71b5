import { isIP } from 'node:net';
import { addressKind } from '../../domain/address-kind.ts';
import { PlatformError } from '../gateway.ts';

/** The address of an access server and how its certificate is trusted. Holds no secret. */
export type ServerAddress = {
  secure: boolean;
  host: string;
  port: number;
  /** Whether it may be on this machine or in private networks. */
  allowPrivate: boolean;
  /** SHA-256 of the certificate, 64 lower-case hex digits: that certificate and no other. */
  fingerprint?: string | undefined;
  /** PEM of the authority to trust instead of the system's. */
  ca?: string | undefined;
};

export type TrustSettings = {
  tlsFingerprint?: string | undefined;
  tlsCa?: string | undefined;
  /** Whether the server may be on this machine or in a private network; default false. */
  allowPrivate?: boolean | undefined;
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Reads `https://host[:443]`, a bare `host[:port]` (https), or `http://` to a loopback address.
 * Throws PlatformError `invalid` with a text that never repeats user info, path or query.
 */
export function parseServerAddress(server: string, trust: TrustSettings = {}): ServerAddress {
  const url = urlOf(server);
  if (!url || url.hostname === '') throw invalid('server must be an address like https://host:443');
  if (url.username !== '' || url.password !== '')
    throw invalid('server must not contain a user or password');
  if (url.pathname.replace('/', '') !== '' || url.search !== '' || url.hash !== '')
    throw invalid('server must not contain a path, query or fragment');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid('server must start with https://');
  const secure = url.protocol === 'https:';
  if (!secure && !LOOPBACK.test(url.hostname))
    throw invalid('http:// is accepted for loopback addresses only, use https://');
  const allowPrivate = trust.allowPrivate ?? false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const kind = LOOPBACK.test(url.hostname) ? 'private' : isIP(host) ? addressKind(host) : 'public';
  if (kind === 'refused') throw invalid('server must not be a link-local or reserved address');
  if (kind === 'private' && !allowPrivate)
    throw invalid('server must be a public address, or one that PLIMSOLL_PRIVATE_PLATFORMS allows');
  return {
    secure,
    host,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    allowPrivate,
    fingerprint: parseFingerprint(trust.tlsFingerprint),
    ca: parseAuthority(trust.tlsCa),
  };
}

/** The host of an address read by parseServerAddress; empty if it can't be read. */
export const hostOfServer = (server: string): string => urlOf(server)?.hostname ?? '';

const urlOf = (server: string): URL | null =>
  URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `https://${server}`);

function parseFingerprint(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const digits = text
    .replace(/^sha256[:/]/i, '')
    .replaceAll(':', '')
    .toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digits))
    throw invalid('tlsFingerprint must be the SHA-256 of the certificate: 64 hex digits');
  return digits;
}

function parseAuthority(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!text.includes('-----BEGIN CERTIFICATE-----') || !text.includes('-----END CERTIFICATE-----'))
    throw invalid('tlsCa must hold certificates in PEM form');
  return text;
}

const invalid = (message: string): PlatformError => new PlatformError('invalid', message);
