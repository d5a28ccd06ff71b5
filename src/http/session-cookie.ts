import type { FastifyReply, FastifyRequest } from 'fastify';
import { forbidden } from '../services/errors.ts';
import type { Presented } from '../services/users/authenticate.ts';

/**
 * Browsers send cookies to all ports of a host: servers on one machine, as at development, must not
 * sign each other's users out.
 */
function cookieName({ headers }: FastifyRequest, name: string): string {
  const [, port] = /:(\d{1,5})$/.exec(headers.host ?? '') ?? [];
  return port === undefined ? name : `${name}_${port}`;
}

/** Browsers take a cookie of such a name from this very host only, by TLS, for all paths. */
const OWN_HOST = '__Host-';

/**
 * The value of a cookie. Another host of the same domain may add one: that of TLS counts first, and
 * of several of one name none, since nobody can tell whose they are.
 */
export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const valuesOf = (start: string): string[] =>
    pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
  const start = `${cookieName(request, name)}=`;
  const [sure] = valuesOf(OWN_HOST + start);
  const values = valuesOf(start);
  return sure ?? (values.length === 1 ? values[0] : undefined);
}

const SESSION = 'plimsoll';

/** What a request shows: the header's token, and without one the cookie's session. */
export function presentedBy(request: FastifyRequest): Presented {
  const token = request.headers['auth-token'];
  const { ip: address } = request;
  if (typeof token === 'string') return { token, address };
  return { session: readCookie(request, SESSION), address };
}

/** Sets or removes the cookie of a session. */
export function sendCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  isSecure = false,
): void {
  const seconds = secret === '' ? 0 : undefined;
  const cookie = { name: SESSION, value: secret, sameSite: 'Strict' } as const;
  writeCookie(request, reply, { ...cookie, seconds, isSecure });
}

export type Cookie = {
  name: string;
  value: string;
  sameSite: 'Strict' | 'Lax';
  /** How long the browser keeps it. Undefined: until it is closed. */
  seconds: number | undefined;
  /** Whether it is known to have come by TLS. */
  isSecure: boolean;
};

/**
 * Sets a cookie that scripts cannot read. Pages of TLS say so by their origin, also behind a proxy
 * that does not.
 */
export function writeCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, sameSite, seconds, isSecure }: Cookie,
): void {
  const isByTls =
    isSecure || request.headers.origin?.startsWith('https:') || request.protocol === 'https';
  const first = `${isByTls ? OWN_HOST : ''}${cookieName(request, name)}=${value}`;
  const parts = [first, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`];
  if (isByTls) parts.push('Secure');
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`);
  reply.header('set-cookie', parts.join('; '));
}

/**
 * Throws `forbidden` if a request by a cookie, or for one, may be made by a page of another server.
 * Browsers say where it comes from: by Sec-Fetch-Site on TLS, by Origin everywhere for changes.
 */
export function requireOwnPage({ headers, method }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const { origin, host } = headers;
  const isReading = method === 'GET';
  const isOwn =
    site !== undefined
      ? site === 'same-origin' || (isReading && site === 'none')
      : origin === undefined
        ? isReading
        : URL.parse(origin)?.host === host;
  if (!isOwn) throw forbidden('Only a page of this server may use or begin a session');
}
