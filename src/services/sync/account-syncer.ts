import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, findAccount } from '../../storage/account-store.ts';
import { findProfile, type Profile } from '../../storage/profile-store.ts';
import {
  claimDueAccount,
  type DueAccount,
  findSync,
  listBoundProfiles,
  listDueAccounts,
  noteSyncFailure,
  scheduleSync,
} from '../../storage/sync-store.ts';
import { notFound, ServiceError } from '../errors.ts';
import type { PlatformContext } from '../profiles/access-profile.ts';
import { type AccountReading, readAccount } from './read-account.ts';

export type BoundAccount = Account & { profileId: string };

/** Hands an account's state and new deals to the live side. */
export type RecordReading = (account: BoundAccount, reading: AccountReading) => Promise<void>;

const TICK_MS = 1_000;
/** An account is read this often where its server keeps up. */
const EVERY_MS = 5_000;
const MAX_RETRY_MS = 300_000;
/** Longer than any reading takes: after it the account of a process that died is read again. */
const LEASE_MS = 180_000;
/** Due accounts of one profile taken up at a time. */
const MAX_DUE = 200;
/** Pause between two accounts of one server, so that its other users are served as well. */
const SERVER_PAUSE_MS = 25;
/** How long a request for newer trades waits before it is told to come back. */
const PATIENCE_MS = 2_000;
/** How long the outcome of a reading waits for the client that was told to come back. */
const OUTCOME_MS = 60_000;
const MAX_UPDATES = 1_000;

type Update = { done: Promise<void>; state: 'running' | 'done'; promised: boolean };

/** Keeps accounts that are bound to profiles up to date with their platforms. */
export class AccountSyncer {
  readonly #context: PlatformContext;
  readonly #record: RecordReading;
  readonly #readings = new Map<string, Promise<void>>();
  readonly #updates = new Map<string, Update>();
  readonly #busyServers = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(context: PlatformContext, record: RecordReading) {
    this.#context = context;
    this.#record = record;
  }

  /** Begins to read due accounts again and again. */
  start(): void {
    this.#loop = this.#run();
  }

  /** Begins nothing new; resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await Promise.allSettled([...this.#busyServers.values(), ...this.#readings.values()]);
  }

  /**
   * Reads an account from its platform for a client that wants its newest trades: true when that is
   * done, false while it goes on. Throws ServiceError when the platform can't be read.
   */
  async updateHistory(account: Account): Promise<boolean> {
    const { profileId } = account;
    if (profileId === null) return true;
    const update = this.#updates.get(account.id) ?? this.#startUpdate({ ...account, profileId });
    if (update.state === 'running')
      await Promise.race([update.done, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (update.state === 'running') {
      update.promised = true;
      return false;
    }
    this.#updates.delete(account.id);
    await update.done;
    return true;
  }

  #startUpdate(account: BoundAccount): Update {
    if (this.#updates.size >= MAX_UPDATES)
      throw new ServiceError('unavailable', 'Too many accounts are being read', {
        retryAfterSeconds: 5,
      });
    const done = this.#read(account, true);
    const update: Update = { done, state: 'running', promised: false };
    this.#updates.set(account.id, update);
    const finish = (): void => {
      update.state = 'done';
      const forget = (): void => {
        if (this.#updates.get(account.id) === update) this.#updates.delete(account.id);
      };
      if (update.promised) setTimeout(forget, OUTCOME_MS).unref();
      else forget();
    };
    done.then(finish, finish);
    return update;
  }

  async #run(): Promise<void> {
    const { database, logger } = this.#context;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        for (const profileId of await listBoundProfiles(database))
          await this.#readProfile(profileId);
      } catch (error) {
        logger.warn({ err: error }, 'looking for accounts to read failed');
      }
      await sleep(TICK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Starts on the due accounts of a profile unless its server is being read already. */
  async #readProfile(profileId: string): Promise<void> {
    const { database, now } = this.#context;
    const profile = await findProfile(database, profileId);
    if (!profile) return;
    const server = profile.server ?? `${profile.kind} ${profile.platform}`;
    if (this.#busyServers.has(server)) return;
    const due = await listDueAccounts(database, profileId, now(), MAX_DUE);
    if (due.length === 0) return;
    const work = this.#readInTurn(due).finally(() => this.#busyServers.delete(server));
    this.#busyServers.set(server, work);
  }

  async #readInTurn(accounts: readonly DueAccount[]): Promise<void> {
    const { database, now, logger } = this.#context;
    const { signal } = this.#stopping;
    for (const due of accounts) {
      if (signal.aborted) return;
      try {
        if (!(await claimDueAccount(database, due, now() + LEASE_MS))) continue;
        const account = await findAccount(database, due.accountId);
        if (account?.profileId) await this.#read({ ...account, profileId: account.profileId });
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'unavailable')
          logger.warn({ err: error, accountId: due.accountId }, 'reading an account failed');
      }
      await sleep(SERVER_PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Each account is read once at a time; a thorough reading waits for a plain one to end. */
  #read(account: BoundAccount, thorough = false): Promise<void> {
    const running = this.#readings.get(account.id);
    if (running && !thorough) return running;
    const reading = (running ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#readNow(account, thorough))
      .finally(() => {
        if (this.#readings.get(account.id) === reading) this.#readings.delete(account.id);
      });
    this.#readings.set(account.id, reading);
    return reading;
  }

  async #readNow(account: BoundAccount, thorough: boolean): Promise<void> {
    const { database, now, gateways } = this.#context;
    try {
      const profile = await this.#profileOf(account);
      const reading = await gateways.use(profile, (gateway) =>
        readAccount(this.#context, gateway, account, thorough),
      );
      if (reading) await this.#record(account, reading);
      await scheduleSync(database, account.id, now() + EVERY_MS);
    } catch (error) {
      await this.#noteFailure(account, error);
      throw error;
    }
  }

  async #profileOf(account: BoundAccount): Promise<Profile> {
    const profile = await findProfile(this.#context.database, account.profileId);
    if (!profile || profile.userId !== account.userId || profile.platform !== account.platform)
      throw notFound('Provisioning profile');
    return profile;
  }

  async #noteFailure(account: BoundAccount, error: unknown): Promise<void> {
    const { database, now } = this.#context;
    const failures = ((await findSync(database, account.id))?.failures ?? 0) + 1;
    const lastError = error instanceof ServiceError ? error.message : 'reading failed on our side';
    const nextAtMs = now() + Math.min(EVERY_MS * 2 ** Math.min(failures, 16), MAX_RETRY_MS);
    await noteSyncFailure(database, account.id, { failures, lastError, nextAtMs });
  }
}
