import type { FastifyReply, FastifyRequest } from 'fastify';
import { forbidden } from '../services/errors.ts';
import type { Presented } from '../services/users/authenticate.ts';

/**
 * Browsers send cookies to all ports of a host: servers on one machine, as at development, must not
 * sign each other's users out.
 */
function cookieName({ headers }: FastifyRequest): string {
  const [, port] = /:(\d{1,5})$/.exec(headers.host ?? '') ?? [];
  return port === undefined ? 'plimsoll' : `plimsoll_${port}`;
}

function cookieOf(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const start = `${cookieName(request)}=`;
  const pairs = cookie.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

/** What a request shows: the header's token, and without one the cookie's session. */
export function presentedBy(request: FastifyRequest): Presented {
  const token = request.headers['auth-token'];
  const { ip: address } = request;
  if (typeof token === 'string') return { token, address };
  return { session: cookieOf(request), address };
}

/**
 * Sets or removes the cookie of a session. Pages of TLS say so by their origin, also behind a proxy
 * that does not.
 */
export function sendCookie(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  const isSecure = request.headers.origin?.startsWith('https:') || request.protocol === 'https';
  const parts = [`${cookieName(request)}=${secret}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  if (isSecure) parts.push('Secure');
  if (secret === '') parts.push('Max-Age=0');
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
