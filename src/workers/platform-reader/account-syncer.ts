import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import { notFound } from '../../services/errors.ts';
import {
  type PlatformContext,
  usePlatform,
} from '../../services/platform-accounts/use-platform.ts';
import type { Account } from '../../storage/account-store.ts';
import {
  announceReader,
  endReading,
  listReadings,
  removeReader,
  renewReading,
  takeReading,
} from '../../storage/profile-reading-store.ts';
import { findProfile } from '../../storage/profile-store.ts';
import type { Worker } from '../worker.ts';
import type { BoundAccount } from './account-reading.ts';
import { HistoryUpdates } from './history-updates.ts';
import { ProfileReader, type RecordReadings } from './profile-reader.ts';
import { readAccount } from './read-account.ts';
import { shareProfiles } from './share-profiles.ts';

const TICK_MS = 1_000;
/** A profile whose process died is read by another one after this time. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;

/** A reader of a profile in this process. */
type Running = { reader: ProfileReader; stop: AbortController; ended: Promise<void> };

/**
 * Keeps accounts with profiles up to date with their platforms. Each profile is read by one
 * process, as long as that renews its lease; all reading processes share the profiles. Two that
 * read one profile for a moment, because a clock was wrong, do no harm.
 */
export class AccountSyncer implements Worker {
  readonly #context: PlatformContext;
  readonly #time: Timekeeper;
  readonly #record: RecordReadings;
  readonly #own: string;
  readonly #updates: HistoryUpdates;
  readonly #running = new Map<string, Running>();
  readonly #stopping = new AbortController();
  #renewDueMs = Number.NEGATIVE_INFINITY;
  #processes: readonly string[] = [];
  #loop: Promise<void> = Promise.resolve();

  constructor(context: PlatformContext, time: Timekeeper, record: RecordReadings) {
    this.#context = context;
    this.#time = time;
    this.#record = record;
    this.#updates = new HistoryUpdates(time);
    this.#own = context.newId();
  }

  /** Begins to read accounts again and again. */
  start(): void {
    this.#loop = this.#run();
  }

  /** Begins nothing new; resolves when everything running has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  /**
   * Reads an account from its platform for a client that wants its newest trades: true once that is
   * done, false while it goes on. Throws ServiceError if the platform cannot be read.
   */
  async updateHistory(account: Account): Promise<boolean> {
    const { profileId } = account;
    if (profileId === null) return true;
    const bound = { ...account, profileId };
    return this.#updates.update(account.number, () => this.#readOne(bound));
  }

  async #readOne(account: BoundAccount): Promise<void> {
    const profile = await findProfile(this.#context.database, account.profileId);
    if (!profile || profile.userId !== account.userId || profile.platform !== account.platform)
      throw notFound('Provisioning profile');
    const reading = await usePlatform(this.#context, profile, (gateway) => {
      const world = { context: this.#context, gateway, time: this.#time };
      return readAccount(world, account, true);
    });
    if (reading) await this.#record([reading]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#tick();
      } catch (error) {
        this.#context.logger.warn({ err: error }, 'looking for profiles to read failed');
      }
      await sleep(this.#time, TICK_MS, signal);
    }
    await this.#leaveAll().catch((error: unknown) => this.#logLeaving(error));
  }

  #logLeaving(error: unknown): void {
    this.#context.logger.warn({ err: error }, 'leaving profiles to others failed');
  }

  async #tick(): Promise<void> {
    const { database, now } = this.#context;
    if (this.#time.elapsed() >= this.#renewDueMs) {
      await this.#renew();
      this.#renewDueMs = this.#time.elapsed() + RENEW_MS;
    }
    const readings = await listReadings(database, now(), LEASE_MS);
    const wanted = new Set(readings.map(({ profileId }) => profileId));
    const { take, leave } = shareProfiles(this.#own, this.#processes, readings);
    for (const profileId of take) await this.#take(profileId);
    for (const [profileId, { stop }] of this.#running)
      if ((profileId === leave || !wanted.has(profileId)) && !stop.signal.aborted)
        // A platform may keep it waiting: the other profiles go on meanwhile.
        void this.#leave(profileId).catch((error: unknown) => this.#logLeaving(error));
  }

  /** Announces this process again and renews its leases; stops readings that others took over. */
  async #renew(): Promise<void> {
    const { changes, now } = this.#context;
    this.#processes = await changes.record((tx) => announceReader(tx, this.#own, now(), LEASE_MS));
    const running = [...this.#running];
    const lost = await changes.record(async (tx) => {
      const others: AbortController[] = [];
      for (const [profileId, { reader, stop }] of running)
        if (!(await renewReading(tx, this.#leaseOf(profileId), reader))) others.push(stop);
      return others;
    });
    for (const stop of lost) stop.abort();
  }

  async #take(profileId: string): Promise<void> {
    if (this.#running.has(profileId)) return;
    const lease = this.#leaseOf(profileId);
    if (!(await this.#context.changes.record((tx) => takeReading(tx, lease)))) return;
    const reader = new ProfileReader(this.#context, this.#time, profileId, this.#record);
    const stop = new AbortController();
    const ended = reader.run(stop.signal).finally(() => this.#running.delete(profileId));
    this.#running.set(profileId, { reader, stop, ended });
  }

  /** Stops reading before it gives up the lease, so that nobody else begins earlier. */
  async #leave(profileId: string): Promise<void> {
    const running = this.#running.get(profileId);
    running?.stop.abort();
    await running?.ended;
    await this.#context.changes.record((tx) => endReading(tx, profileId, this.#own));
  }

  async #leaveAll(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all([...this.#running.keys()].map((profileId) => this.#leave(profileId)));
    await this.#context.changes.record((tx) => removeReader(tx, this.#own));
  }

  #leaseOf(profileId: string) {
    const { now } = this.#context;
    return { profileId, reader: this.#own, nowMs: now(), leaseMs: LEASE_MS };
  }
}
