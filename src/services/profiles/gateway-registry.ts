import { type Gateway, PlatformError } from '../../platforms/gateway.ts';
import { noteProfileError, noteProfileSuccess, type Profile } from '../../storage/profile-store.ts';
import type { Context } from '../context.ts';
import { unavailable } from '../errors.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { serviceErrorOf } from './platform-errors.ts';
import type { SecretBox } from './secret-box.ts';

/** What it takes to reach a platform. */
export type GatewayRequest = Pick<
  Profile,
  'platform' | 'kind' | 'server' | 'login' | 'tlsFingerprint' | 'tlsCa' | 'brokerClock'
> & { password: string | undefined };

/** Makes the gateway of a profile's kind. Throws PlatformError `invalid` for unusable settings. */
export type OpenGateway = (request: GatewayRequest) => Gateway | Promise<Gateway>;

/** Calls of one profile that run or wait at a time; a dead platform must not pile up requests. */
const MAX_CALLS_PER_PROFILE = 256;
const MAX_GATEWAYS = 1_000;
const IDLE_MS = 600_000;
/** The same outcome is written to the profile's record this often at most. */
const NOTE_EVERY_MS = 30_000;

type Entry = {
  gateway: Promise<Gateway>;
  breaker: CircuitBreaker;
  calls: number;
  usedAtMs: number;
  noted: { message: string | undefined; atMs: number } | undefined;
};

/** One gateway per profile, opened when it is first needed, behind a circuit breaker of its own. */
export class GatewayRegistry {
  readonly #context: Context;
  readonly #open: OpenGateway;
  readonly #secrets: SecretBox | undefined;
  readonly #entries = new Map<string, Entry>();
  #closed = false;

  constructor(context: Context, open: OpenGateway, secrets: SecretBox | undefined) {
    this.#context = context;
    this.#open = open;
    this.#secrets = secrets;
  }

  /**
   * Runs `work` with the profile's gateway. PlatformErrors become ServiceErrors: refused values
   * `validation`, everything about the platform or the profile's own login `unavailable`.
   */
  async use<T>(profile: Profile, work: (gateway: Gateway) => Promise<T>): Promise<T> {
    if (this.#closed) throw unavailable('The server is stopping', 5);
    const entry = this.#entry(profile);
    if (entry.calls >= MAX_CALLS_PER_PROFILE)
      throw unavailable('Too many calls wait for the platform of this profile', 5);
    const pauseMs = entry.breaker.enter();
    if (pauseMs > 0) {
      const message = entry.noted?.message ?? 'the platform did not answer';
      throw unavailable(
        `The platform of this profile is not tried for a moment: ${message}`,
        Math.ceil(pauseMs / 1000),
      );
    }
    entry.calls += 1;
    entry.usedAtMs = this.#context.now();
    try {
      const result = await work(await entry.gateway);
      await this.#note(profile, entry, undefined);
      return result;
    } catch (error) {
      await this.#note(profile, entry, error);
      throw error instanceof PlatformError ? serviceErrorOf(error) : error;
    } finally {
      entry.calls -= 1;
    }
  }

  /** Closes the gateway of a profile that was deleted. */
  async close(profileId: string): Promise<void> {
    const entry = this.#entries.get(profileId);
    this.#entries.delete(profileId);
    await entry?.gateway.then((gateway) => gateway.close()).catch(() => undefined);
  }

  /** Ends every connection and the calls on them; no new call is taken. */
  async closeAll(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id)));
  }

  #entry(profile: Profile): Entry {
    const known = this.#entries.get(profile.id);
    if (known) return known;
    this.#closeIdle();
    if (this.#entries.size >= MAX_GATEWAYS)
      throw unavailable('Too many platforms are connected at a time', 60);
    const entry: Entry = {
      gateway: this.#openGateway(profile),
      breaker: new CircuitBreaker(this.#context.now),
      calls: 0,
      usedAtMs: this.#context.now(),
      noted: undefined,
    };
    this.#entries.set(profile.id, entry);
    // A gateway that could not be made is made anew by the next call.
    entry.gateway.catch(() => {
      if (this.#entries.get(profile.id) === entry) this.#entries.delete(profile.id);
    });
    return entry;
  }

  async #openGateway(profile: Profile): Promise<Gateway> {
    return this.#open({ ...profile, password: this.#passwordOf(profile) });
  }

  #passwordOf({ id, secret, secretKeyId }: Profile): string | undefined {
    if (!secret || !secretKeyId) return undefined;
    if (!this.#secrets)
      throw new PlatformError('denied', 'PLIMSOLL_SECRET_KEY is needed to open its password');
    if (this.#secrets.keyId !== secretKeyId)
      throw new PlatformError(
        'denied',
        'its password was stored under another PLIMSOLL_SECRET_KEY',
      );
    try {
      return this.#secrets.open({ bytes: secret, keyId: secretKeyId }, id);
    } catch (error) {
      throw new PlatformError('denied', 'its stored password is damaged', { cause: error });
    }
  }

  #closeIdle(): void {
    const nowMs = this.#context.now();
    for (const [id, { calls, usedAtMs }] of this.#entries)
      if (calls === 0 && nowMs - usedAtMs > IDLE_MS) void this.close(id);
  }

  /** Feeds the breaker and, not too often, the profile's record. */
  async #note(profile: Profile, entry: Entry, error: unknown): Promise<void> {
    const failure =
      error instanceof PlatformError && (error.code === 'unavailable' || error.code === 'denied')
        ? error
        : undefined;
    // A fault of our own says nothing about the platform.
    if (error !== undefined && !(error instanceof PlatformError)) return entry.breaker.succeeded();
    if (failure) entry.breaker.failed();
    else entry.breaker.succeeded();
    const message = failure?.message;
    const atMs = this.#context.now();
    const { noted } = entry;
    if (noted && noted.message === message && atMs - noted.atMs < NOTE_EVERY_MS) return;
    entry.noted = { message, atMs };
    const { database, logger } = this.#context;
    try {
      if (message === undefined) await noteProfileSuccess(database, profile.id, atMs);
      else await noteProfileError(database, profile.id, atMs, message);
    } catch (noteError) {
      logger.warn({ err: noteError, profileId: profile.id }, 'noting a profile outcome failed');
    }
  }
}
