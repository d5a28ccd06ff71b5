import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, findNumbered } from '../../storage/account-store.ts';
import { findProfile, type Profile } from '../../storage/profile-store.ts';
import {
  claimDueAccount,
  findSync,
  listBoundProfiles,
  listDueAccounts,
  noteSyncFailure,
  scheduleSync,
} from '../../storage/sync-store.ts';
import { notFound, ServiceError } from '../errors.ts';
import { type PlatformContext, usePlatform } from '../platform-accounts/use-platform.ts';
import type { AccountReading, BoundAccount } from './account-reading.ts';
import { HistoryUpdates } from './history-updates.ts';
import { readAccount } from './read-account.ts';
import { readBatch } from './read-batch.ts';

/** Hands states and new deals of accounts to the live side. */
export type RecordReadings = (readings: readonly AccountReading[]) => Promise<void>;

const TICK_MS = 500;
/** An account is read this often where its server keeps up. */
const EVERY_MS = 2_000;
const MAX_RETRY_MS = 300_000;
/** Longer than any reading takes: after it the account of a process that died is read again. */
const LEASE_MS = 180_000;
/** Due accounts of one profile taken up in one turn: those that were read before, and new ones. */
const MAX_DUE = 100;
const MAX_NEW = 10;
/** Pauses after a turn on a server and after a single reading: it has other users as well. */
const TURN_PAUSE_MS = 25;
const SINGLE_PAUSE_MS = 5;

/** Keeps accounts that are bound to profiles up to date with their platforms. */
export class AccountSyncer {
  readonly #context: PlatformContext;
  readonly #record: RecordReadings;
  readonly #updates = new HistoryUpdates();
  /** What reads an account now. */
  readonly #readings = new Map<number, Promise<void>>();
  readonly #busyServers = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(context: PlatformContext, record: RecordReadings) {
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
    const bound = { ...account, profileId };
    return this.#updates.update(account.number, () =>
      this.#exclusively([bound], () => this.#readOne(bound, true)),
    );
  }

  async #run(): Promise<void> {
    const { database, logger } = this.#context;
    while (!this.#stopping.signal.aborted) {
      try {
        for (const profileId of await listBoundProfiles(database))
          await this.#readProfile(profileId);
      } catch (error) {
        logger.warn({ err: error }, 'looking for accounts to read failed');
      }
      await this.#pause(TICK_MS);
    }
  }

  /** Starts on the due accounts of a profile unless its server is being read already. */
  async #readProfile(profileId: string): Promise<void> {
    const { database, logger } = this.#context;
    const profile = await findProfile(database, profileId);
    if (!profile) return;
    const server = profile.server ?? `${profile.kind} ${profile.platform}`;
    if (this.#busyServers.has(server)) return;
    const work = this.#readDue(profile)
      .catch((error: unknown) => logger.warn({ err: error, profileId }, 'reading accounts failed'))
      .finally(() => this.#busyServers.delete(server));
    this.#busyServers.set(server, work);
  }

  /** Batch after batch, as long as accounts of the profile are due. */
  async #readDue(profile: Profile): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const accounts = await this.#claimDue(profile.id);
      if (accounts.length === 0) return;
      const read = new Set<number>();
      await this.#exclusively(accounts, async () => {
        for (const number of await this.#readTogether(profile, accounts)) read.add(number);
      });
      for (const account of accounts) {
        if (read.has(account.number)) continue;
        if (this.#stopping.signal.aborted) return;
        await this.#exclusively([account], () => this.#readOne(account, false)).catch(
          (error: unknown) => this.#logFailure(account, error),
        );
        await this.#pause(SINGLE_PAUSE_MS);
      }
      await this.#pause(TURN_PAUSE_MS);
    }
  }

  async #claimDue(profileId: string): Promise<BoundAccount[]> {
    const { database, changes, now } = this.#context;
    const read = { readBefore: true, limit: MAX_DUE };
    const unread = { readBefore: false, limit: MAX_NEW };
    const due = [
      ...(await listDueAccounts(database, profileId, now(), read)),
      ...(await listDueAccounts(database, profileId, now(), unread)),
    ];
    const untilMs = now() + LEASE_MS;
    const claimed = await changes.record(async (tx) => {
      const numbers: number[] = [];
      for (const each of due) {
        // One that a client has read at this moment is fresh enough.
        if (this.#readings.has(each.accountNumber)) continue;
        if (await claimDueAccount(tx, each, untilMs)) numbers.push(each.accountNumber);
      }
      return numbers;
    });
    const found = await findNumbered(database, claimed);
    const accounts: BoundAccount[] = [];
    for (const account of found)
      if (account.profileId === profileId) accounts.push({ ...account, profileId });
    return accounts;
  }

  /** Reads what can be read in a batch; the numbers of those accounts, none when the batch fails. */
  async #readTogether(profile: Profile, accounts: readonly BoundAccount[]): Promise<number[]> {
    const { changes, now, logger } = this.#context;
    try {
      const readings = await usePlatform(this.#context, profile, (gateway) =>
        readBatch(this.#context, gateway, accounts),
      );
      if (readings.length === 0) return [];
      await this.#record(readings);
      const numbers = readings.map(({ account }) => account.number);
      await changes.record(async (tx) => {
        for (const number of numbers) await scheduleSync(tx, number, now() + EVERY_MS);
      });
      return numbers;
    } catch (error) {
      logger.debug({ err: error, profileId: profile.id }, 'reading accounts together failed');
      return [];
    }
  }

  async #readOne(account: BoundAccount, thorough: boolean): Promise<void> {
    const { changes, now } = this.#context;
    try {
      const profile = await this.#profileOf(account);
      const reading = await usePlatform(this.#context, profile, (gateway) =>
        readAccount(this.#context, gateway, account, thorough),
      );
      if (reading) await this.#record([reading]);
      await changes.record((tx) => scheduleSync(tx, account.number, now() + EVERY_MS));
    } catch (error) {
      await this.#noteFailure(account, error);
      throw error;
    }
  }

  /** Nobody else in this process reads the accounts meanwhile; waits for those who do. */
  async #exclusively(accounts: readonly BoundAccount[], read: () => Promise<void>): Promise<void> {
    const before = accounts.flatMap(({ number }) => this.#readings.get(number) ?? []);
    const reading = Promise.allSettled(before).then(read);
    for (const { number } of accounts) this.#readings.set(number, reading);
    try {
      await reading;
    } finally {
      for (const { number } of accounts) {
        if (this.#readings.get(number) === reading) this.#readings.delete(number);
      }
    }
  }

  async #profileOf(account: BoundAccount): Promise<Profile> {
    const profile = await findProfile(this.#context.database, account.profileId);
    if (!profile || profile.userId !== account.userId || profile.platform !== account.platform)
      throw notFound('Provisioning profile');
    return profile;
  }

  async #noteFailure(account: BoundAccount, error: unknown): Promise<void> {
    const { database, changes, now } = this.#context;
    const failures = ((await findSync(database, account.number))?.failures ?? 0) + 1;
    const lastError = error instanceof ServiceError ? error.message : 'reading failed on our side';
    const nextAtMs = now() + Math.min(EVERY_MS * 2 ** Math.min(failures, 16), MAX_RETRY_MS);
    const failure = { failures, lastError, nextAtMs };
    await changes.record((tx) => noteSyncFailure(tx, account.number, failure));
  }

  /** What a platform refuses is on the account's record; only our own failures need a line each. */
  #logFailure(account: BoundAccount, error: unknown): void {
    if (error instanceof ServiceError) return;
    this.#context.logger.warn({ err: error, accountId: account.id }, 'reading an account failed');
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
