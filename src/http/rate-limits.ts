import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { tooMany } from '../services/errors.ts';

const WINDOW_MS = 60_000;
/**
 * Addresses, and tokens, that are remembered; of more the one that was counted longest ago is
 * forgotten.
 */
const MAX_KEYS = 100_000;

/**
 * Counts by key and says who has to wait: so many at once, and then as many as a minute allows,
 * evenly (the generic cell rate algorithm: one moment a key).
 */
export class Rate {
  readonly #intervalMs: number;
  readonly #now: () => number;
  /** When everything that was counted will be made up for. */
  readonly #settledMs = new Map<string, number>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#intervalMs = WINDOW_MS / perMinute;
    this.#now = now;
  }

  /** Seconds until one more may come; 0: now. */
  waitSeconds(key: string): number {
    if (this.#settledMs.size === 0) return 0;
    const overMs = this.#settledAt(key) + this.#intervalMs - this.#now() - WINDOW_MS;
    return overMs <= 0 ? 0 : Math.ceil(overMs / 1000);
  }

  /** Whoever goes on beyond the limit waits as long as one who has just reached it. */
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

/** Whose requests are counted together: an IPv4 address, or an IPv6 network of 64 bits. */
export function addressKey(address: string): string {
  // As nearly always, and asked of every request.
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
  /** Requests a minute that one address may have refused (401, 403, 404, 429); 0: no limit. */
  refusalsPerMinute: number;
  /** Requests per minute for one token; 0: no limit. */
  requestsPerMinute: number;
};

const REFUSALS = new Set([401, 403, 404, 429]);

/**
 * Counts the refused requests of an address; beyond the limit it is refused before anything is
 * looked at.
 */
export function limitRefusals(server: FastifyInstance, { refusalsPerMinute }: RateSettings): void {
  const rate = refusalsPerMinute > 0 ? new Rate(refusalsPerMinute) : undefined;
  server.decorate('countRefusal', (address: string, status: number) => {
    if (REFUSALS.has(status)) rate?.count(addressKey(address));
  });
  if (!rate) return;
  server.addHook('onRequest', (request, _reply, done) => {
    const { operation, open } = request.routeOptions.config;
    // Health checks must not fail because of others behind the same proxy; pages are cheap.
    if (open || operation?.scope === 'public') return done();
    const seconds = rate.waitSeconds(addressKey(request.ip));
    done(
      seconds === 0
        ? undefined
        : tooMany('Too many refused requests came from your address', seconds),
    );
  });
}

/** Counts the requests of a token, once it is known whose they are. */
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
