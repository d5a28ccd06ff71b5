import type { Timekeeper } from '../domain/timekeeper.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { type KeyRing, LockedSecret } from '../storage/key-ring.ts';
import type { Profile } from '../storage/profile-store.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type Gateway, PlatformError } from './gateway.ts';

/** Settings needed to reach a platform. */
export type GatewayRequest = Pick<
  Profile,
  | 'id'
  | 'userId'
  | 'platform'
  | 'kind'
  | 'server'
  | 'login'
  | 'tlsFingerprint'
  | 'tlsCa'
  | 'brokerClock'
> & { password: string | undefined };

/** Makes the gateway of a profile's kind. Throws PlatformError `invalid` for unusable settings. */
export type OpenGateway = (request: GatewayRequest) => Gateway | Promise<Gateway>;

export type RegistryOptions = {
  open: OpenGateway;
  secrets: Pick<KeyRing, 'open'>;
  /**
   * Writes the outcome of the latest calls to the profile's record: their failure, or undefined.
   */
  noteOutcome: (profileId: string, atMs: number, failure: string | undefined) => Promise<void>;
  time: Pick<Timekeeper, 'now' | 'elapsed'>;
  logger: { warn(fields: object, message: string): void };
};

/** Calls of one profile that run or wait at a time; a dead platform must not pile up requests. */
const MAX_CALLS_PER_PROFILE = 256;
/** The same of all profiles of a user, and of all users. */
const MAX_CALLS_PER_USER = 1024;
const MAX_CALLS = 8192;
const MAX_GATEWAYS = 1_000;
const IDLE_MS = 600_000;
/** The same outcome is written to the profile's record this often at most. */
const NOTE_EVERY_MS = 30_000;
/** A refused login needs a person; platforms lock out clients that keep trying. */
const DENIED_PAUSE_MS = 60_000;

type Entry = {
  gateway: Promise<Gateway>;
  breaker: CircuitBreaker;
  calls: number;
  usedAtMs: number;
  /** Moments are of the monotonic clock. */
  noted: { message: string | undefined; atMs: number } | undefined;
};

/** One gateway per profile, opened when first needed, each behind its own circuit breaker. */
export class GatewayRegistry {
  readonly #options: RegistryOptions;
  readonly #entries = new Map<string, Entry>();
  /** By user. */
  readonly #calls = new Map<string, number>();
  #allCalls = 0;
  #closed = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** Runs `work` with the profile's gateway. Throws PlatformError, and the errors of `work`. */
  async use<T>(profile: Profile, work: (gateway: Gateway) => Promise<T>): Promise<T> {
    if (this.#closed) throw busy('the server is stopping', 5);
    const entry = this.#entry(profile);
    if (entry.calls >= MAX_CALLS_PER_PROFILE) throw busy('too many calls are waiting for it', 5);
    const pauseMs = entry.breaker.enter();
    if (pauseMs > 0) {
      const message = entry.noted?.message ?? 'it did not answer';
      throw busy(`it is paused for a moment after failures: ${message}`, Math.ceil(pauseMs / 1000));
    }
    if (this.#allCalls >= MAX_CALLS) throw busy('too many calls to platforms are waiting', 5);
    const { userId } = profile;
    if ((this.#calls.get(userId) ?? 0) >= MAX_CALLS_PER_USER)
      throw busy("too many calls to its user's platforms are waiting", 5);
    entry.calls += 1;
    this.#count(userId, 1);
    entry.usedAtMs = this.#options.time.elapsed();
    try {
      const result = await work(await entry.gateway);
      entry.breaker.succeeded();
      await this.#note(profile, entry, undefined);
      return result;
    } catch (error) {
      await this.#judge(profile, entry, error);
      throw error;
    } finally {
      entry.calls -= 1;
      this.#count(userId, -1);
    }
  }

  #count(userId: string, calls: number): void {
    this.#allCalls += calls;
    const own = (this.#calls.get(userId) ?? 0) + calls;
    if (own > 0) this.#calls.set(userId, own);
    else this.#calls.delete(userId);
  }

  /** Closes the gateway of a profile that was changed or deleted. */
  async close(profileId: string): Promise<void> {
    const entry = this.#entries.get(profileId);
    this.#entries.delete(profileId);
    await entry?.gateway.then((gateway) => gateway.close()).catch(() => undefined);
  }

  /** Ends every connection and its calls; new calls are refused. */
  async closeAll(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id)));
  }

  #entry(profile: Profile): Entry {
    const known = this.#entries.get(profile.id);
    if (known) return known;
    this.#closeIdle();
    if (this.#entries.size >= MAX_GATEWAYS)
      throw busy('too many platforms are connected at a time', 60);
    const entry: Entry = {
      gateway: this.#open(profile),
      breaker: new CircuitBreaker(this.#options.time.elapsed),
      calls: 0,
      usedAtMs: this.#options.time.elapsed(),
      noted: undefined,
    };
    this.#entries.set(profile.id, entry);
    // If a gateway could not be made, the next call tries again.
    entry.gateway.catch(() => {
      if (this.#entries.get(profile.id) === entry) this.#entries.delete(profile.id);
    });
    return entry;
  }

  async #open(profile: Profile): Promise<Gateway> {
    const password = await passwordOf(this.#options.secrets, profile);
    return this.#options.open({ ...profile, password });
  }

  #closeIdle(): void {
    const nowMs = this.#options.time.elapsed();
    for (const [id, { calls, usedAtMs }] of this.#entries)
      if (calls === 0 && nowMs - usedAtMs > IDLE_MS) void this.close(id);
  }

  /**
   * The meaning of a failed call for the platform: none if the fault was our own or the caller's.
   */
  async #judge(profile: Profile, entry: Entry, error: unknown): Promise<void> {
    const { breaker } = entry;
    const isCut = this.#closed || this.#entries.get(profile.id) !== entry;
    if (isCut || !(error instanceof PlatformError)) return breaker.ended();
    if (error.code !== 'unavailable' && error.code !== 'denied') {
      breaker.succeeded();
      return this.#note(profile, entry, undefined);
    }
    breaker.failed(error.code === 'denied' ? DENIED_PAUSE_MS : 0);
    await this.#note(profile, entry, error);
  }

  /** Writes the outcome to the profile's record, not too often, and its cause to the log. */
  async #note(profile: Profile, entry: Entry, failure: PlatformError | undefined): Promise<void> {
    const { time, logger, noteOutcome } = this.#options;
    const message = failure?.message;
    const atMs = time.elapsed();
    const { noted } = entry;
    if (noted && noted.message === message && atMs - noted.atMs < NOTE_EVERY_MS) return;
    entry.noted = { message, atMs };
    const fields = { profileId: profile.id, server: profile.server };
    if (failure) {
      const { cause } = failure;
      const told = cause instanceof Error ? { cause: cause.message } : {};
      logger.warn({ ...fields, reason: message, ...told }, 'a platform failed');
    }
    try {
      await noteOutcome(profile.id, time.now(), message);
    } catch (error) {
      logger.warn({ ...fields, err: error }, 'noting the outcome of a profile failed');
    }
  }
}

/** The password of a profile. Throws PlatformError `denied` if it cannot be opened. */
export async function passwordOf(
  secrets: RegistryOptions['secrets'],
  { id, secret, secretKeyId }: Profile,
): Promise<string | undefined> {
  if (!secret || !secretKeyId) return undefined;
  try {
    return await secrets.open({ secret, secretKeyId }, id);
  } catch (cause) {
    if (cause instanceof DatabaseUnavailable) throw cause;
    const why = cause instanceof LockedSecret ? 'cannot be decrypted' : 'is damaged';
    const said = cause instanceof LockedSecret ? `. ${cause.message}` : '';
    throw new PlatformError('denied', `its stored password ${why}${said}`, { cause });
  }
}

const busy = (message: string, retryAfterSeconds: number): PlatformError =>
  new PlatformError('unavailable', message, { retryAfterSeconds });
