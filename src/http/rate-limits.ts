import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { tooMany } from '../services/errors.ts';

const WINDOW_MS = 60_000;
/** Most addresses, and tokens, remembered; the one counted longest ago is forgotten first. */
const MAX_KEYS = 100_000;

/**
 * Counts by key and decides which keys have to wait: a burst first, then evenly at a rate per
 * minute (the generic cell rate algorithm: one moment per key).
 */
export class Rate {
  readonly #intervalMs: number;
  readonly #now: () => number;
  /** When all counted requests are made up for. */
  readonly #settledMs = new Map<string, number>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#intervalMs = WINDOW_MS / perMinute;
    this.#now = now;
  }

  /** Seconds until the next one is allowed; 0: now. */
  waitSeconds(key: string): number {
    if (this.#settledMs.size === 0) return 0;
    const overMs = this.#settledAt(key) + this.#intervalMs - this.#now() - WINDOW_MS;
    return overMs <= 0 ? 0 : Math.ceil(overMs / 1000);
  }

  /** A key that continues beyond the limit waits as long as one that has just reached it. */
  count(key: string): void {
    const latestMs = this.#now() + WINDOW_MS;
    const settledMs = Math.min(latestMs, this.#settledAt(key) + this.#intervalMs);
    this.#settledMs.delete(key);
    this.#settledMs.set(key, settledMs);
    if (this.#settledMs.size <= MAX_KEYS) return;
    const [oldest] = this.#settledMs.keys();
    if (oldest !== undefined) this.#settledMs.delete(oldest);
  }

  #settledAt(key: string): number {
    return Math.max(this.#now(), this.#settledMs.get(key) ?? 0);
  }
}

/** The key of counting: an IPv4 address, or an IPv6 network of 64 bits. */
export function addressKey(address: string): string {
  // The usual case, checked on every request.
  if (!address.includes(':')) return address;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

export type RateSettings = {
  /** Refused requests (401, 403, 404, 429) per minute allowed to one address; 0: no limit. */
  refusalsPerMinute: number;
  /** Requests per minute for one token; 0: no limit. */
  requestsPerMinute: number;
};

const REFUSALS = new Set([401, 403, 404, 429]);

/** Counts the refused requests of an address; beyond the limit requests are refused unread. */
export function limitRefusals(server: FastifyInstance, { refusalsPerMinute }: RateSettings): void {
  const rate = refusalsPerMinute > 0 ? new Rate(refusalsPerMinute) : undefined;
  server.decorate('countRefusal', (address: string, status: number) => {
    if (REFUSALS.has(status)) rate?.count(addressKey(address));
  });
  if (!rate) return;
  server.addHook('onRequest', (request, _reply, done) => {
    const { operation, open } = request.routeOptions.config;
    // Health checks must not fail because of others behind the same proxy; pages are cheap.
    const isReading = request.method === 'GET';
    if (open || (operation?.scope === 'public' && isReading)) return done();
    const seconds = rate.waitSeconds(addressKey(request.ip));
    done(
      seconds === 0
        ? undefined
        : tooMany('Too many refused requests came from your address', seconds),
    );
  });
}

/** Counts the requests of a token, once its user is known. */
export function limitTokens(server: FastifyInstance, { requestsPerMinute }: RateSettings): void {
  if (requestsPerMinute === 0) return;
  const rate = new Rate(requestsPerMinute);
  server.addHook('onRequest', (request, _reply, done) => {
    const { principal } = request;
    if (!principal) return done();
    const seconds = rate.waitSeconds(principal.tokenId);
    if (seconds > 0) return done(tooMany('This token makes too many requests', seconds));
    rate.count(principal.tokenId);
    done();
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    countRefusal(address: string, status: number): void;
  }
}
