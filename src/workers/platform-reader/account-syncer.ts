import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import { notFound } from '../../services/errors.ts';
import {
  type PlatformContext,
  usePlatform,
} from '../../services/platform-accounts/use-platform.ts';
import type { Account } from '../../storage/account-store.ts';
import { type Claim, isClaimed } from '../../storage/claim-store.ts';
import { listReadings, noteReading } from '../../storage/profile-reading-store.ts';
import { findProfile } from '../../storage/profile-store.ts';
import type { Worker } from '../worker.ts';
import type { BoundAccount, RecordReadings } from './account-reading.ts';
import { HistoryUpdates } from './history-updates.ts';
import { ProfileReader } from './profile-reader.ts';
import { readAccount } from './read-account.ts';
import { shareProfiles } from './share-profiles.ts';

const TICK_MS = 1_000;
const NOTE_MS = 2_000;

/** A reader of a profile in this process. */
type Running = {
  reader: ProfileReader;
  claim: Claim;
  stop: AbortController;
  ended: Promise<void>;
};

/**
 * Keeps accounts with profiles up to date with their platforms. Each profile is read by the process
 * that has claimed it; all reading processes share the profiles. Two that read one profile for a
 * moment, because one of them was held up, do no harm.
 */
export class AccountSyncer implements Worker {
  readonly #context: PlatformContext;
  readonly #time: Timekeeper;
  readonly #record: RecordReadings;
  readonly #updates: HistoryUpdates;
  readonly #running = new Map<string, Running>();
  readonly #stopping = new AbortController();
  #noteDueMs = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> = Promise.resolve();

  constructor(context: PlatformContext, time: Timekeeper, record: RecordReadings) {
    this.#context = context;
    this.#time = time;
    this.#record = record;
    this.#updates = new HistoryUpdates(time);
  }

  /** Starts reading accounts continually. */
  start(): void {
    this.#loop = this.#run();
  }

  /** Starts nothing new; resolves when everything running has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  /**
   * Reads an account from its platform for a client that wants its newest trades: true once that is
   * done, false while it is running. Throws ServiceError if the platform cannot be read.
   */
  async updateHistory(account: Account): Promise<boolean> {
    const { profileId } = account;
    if (profileId === null) return true;
    const bound = { ...account, profileId };
    return this.#updates.update(account, () => this.#readOne(bound));
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
    const { database, claims } = this.#context;
    if (this.#time.elapsed() >= this.#noteDueMs) {
      await claims.share('profile');
      await this.#note();
      this.#noteDueMs = this.#time.elapsed() + NOTE_MS;
    }
    const readings = await listReadings(database);
    const wanted = new Set(readings.map(({ profileId }) => profileId));
    const { take, leave } = shareProfiles(claims.id, claims.sharing('profile'), readings);
    for (const profileId of take) await this.#take(profileId);
    for (const [profileId, { stop }] of this.#running)
      if ((profileId === leave || !wanted.has(profileId)) && !stop.signal.aborted)
        // A platform may block it: the other profiles continue.
        void this.#leave(profileId).catch((error: unknown) => this.#logLeaving(error));
  }

  /** Notes the readers' progress. */
  async #note(): Promise<void> {
    const running = [...this.#running];
    if (running.length === 0) return;
    await this.#context.changes.record(async (tx) => {
      for (const [profileId, { reader, claim }] of running)
        if (await isClaimed(tx, claim.fence)) await noteReading(tx, profileId, reader);
    });
  }

  async #take(profileId: string): Promise<void> {
    if (this.#running.has(profileId)) return;
    const stop = new AbortController();
    const claim = await this.#context.claims.take('profile', profileId, () => stop.abort());
    if (!claim) return;
    const reader = new ProfileReader(this.#context, this.#time, profileId, this.#record);
    const ended = reader.run(stop.signal).finally(() => this.#running.delete(profileId));
    this.#running.set(profileId, { reader, claim, stop, ended });
  }

  /** Stops reading before releasing the claim, so that no other process begins earlier. */
  async #leave(profileId: string): Promise<void> {
    const running = this.#running.get(profileId);
    if (!running) return;
    running.stop.abort();
    await running.ended;
    await this.#context.claims.release(running.claim);
  }

  async #leaveAll(): Promise<void> {
    const { claims } = this.#context;
    for (const { stop } of this.#running.values()) stop.abort();
    await claims.unshare('profile');
    await Promise.all([...this.#running.keys()].map((profileId) => this.#leave(profileId)));
  }
}
