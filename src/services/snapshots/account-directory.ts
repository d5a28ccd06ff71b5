import type { BrokerClockView } from '../../domain/live/broker-clock-view.ts';
import { decodeLiveAccount } from '../../domain/live/live-account-codec.ts';
import { TrackerRules } from '../../domain/live/tracker-rule.ts';
import { moneyDigits } from '../../domain/money.ts';
import { EntryAccount } from '../../engine/entry-account.ts';
import { ClockViews } from '../../engine/load-cells.ts';
import { findAccounts } from '../../storage/account-store.ts';
import type { Database } from '../../storage/database.ts';
import { readJournalAccounts } from '../../storage/journal-account-store.ts';
import { partitionCount, partitionOf, readJournalHead } from '../../storage/journal-store.ts';
import { readLiveAccounts } from '../../storage/live-store.ts';
import { newlyRead, type ReadAccount } from './read-account.ts';
import type { UnknownAccount } from './snapshot-batch.ts';

/** What ingest must know of an account. */
export interface DirectoryAccount extends ReadAccount<DirectoryAccount> {
  readonly userId: string;
  readonly partition: number;
  readonly named: EntryAccount;
  readonly currency: string;
  readonly moneyDigits: number;
  readonly clock: BrokerClockView;
  /** Version of the directory that it was read for. */
  readonly version: number;
  /** Moment of the newest snapshot that this process knows of; NaN without one. */
  lastUtcMs: number;
  /** The same with the batch that is being counted. */
  pendingUtcMs: number;
  pendingBatch: number;
  /** Its place in the entry of the commit that it was in last: looking it up would cost more. */
  commit: number;
  entryPlace: number;
}

/** Beside those of one commit. */
const MAX_ACCOUNTS = 200_000;

/**
 * Accounts that snapshots came for, remembered in this process. Each commit of snapshots tells the
 * version of the directory in the same breath, so what is remembered is never used when outdated.
 */
export class AccountDirectory {
  readonly #database: Database;
  readonly #clocks = new ClockViews();
  readonly #rules = new TrackerRules();
  readonly #accounts = new Map<string, DirectoryAccount>();
  readonly #partitions: number;
  #version = -1;

  constructor(database: Database) {
    this.#database = database;
    this.#partitions = partitionCount(database.kind);
  }

  get version(): number {
    return this.#version;
  }

  find(accountId: string): DirectoryAccount | undefined {
    return this.#accounts.get(accountId);
  }

  /** The same for an account that may have been found before: most are still good. */
  findAgain(account: DirectoryAccount | UnknownAccount): DirectoryAccount | undefined {
    return account.version === this.#version ? account : this.#accounts.get(account.id);
  }

  /** Forgets all accounts when they are too many: to be called before some are looked for. */
  makeRoom(): void {
    if (this.#accounts.size > MAX_ACCOUNTS) this.#accounts.clear();
  }

  /**
   * Reads those of the accounts that are not remembered; unknown ids stay unknown. All others are
   * forgotten when the version changes with it.
   */
  async load(accountIds: Iterable<string>): Promise<void> {
    const wanted = [...accountIds];
    while (!(await this.#load(wanted)));
  }

  /** False when the directory changed meanwhile. */
  async #load(wanted: readonly string[]): Promise<boolean> {
    const { directoryVersion } = await readJournalHead(this.#database);
    if (directoryVersion !== this.#version) this.#accounts.clear();
    this.#version = directoryVersion;
    const missing = wanted.filter((id) => !this.#accounts.has(id));
    const [found, named, live] = await Promise.all([
      findAccounts(this.#database, missing),
      readJournalAccounts(this.#database, missing),
      readLiveAccounts(this.#database, missing),
    ]);
    const states = new Map(live.map((row) => [row.accountId, row]));
    if (directoryVersion !== this.#version) return false;
    for (const account of found) {
      const journalAccount = named.get(account.id);
      // Deleted since it was found.
      if (!journalAccount) continue;
      const clock = this.#clocks.viewOf(account.brokerClock);
      const stored = states.get(account.id);
      const isSame = stored?.createdAtMs === account.createdAtMs;
      const lastUtcMs =
        isSame && stored.state
          ? decodeLiveAccount(stored.state, account.id, clock, [], this.#rules).lastUtcMs
          : Number.NaN;
      this.#accounts.set(account.id, {
        ...newlyRead<DirectoryAccount>(account.id),
        userId: account.userId,
        partition: partitionOf(account.id, this.#partitions),
        named: new EntryAccount(journalAccount),
        currency: account.currency,
        moneyDigits: moneyDigits(account.currency),
        clock,
        version: directoryVersion,
        lastUtcMs,
        pendingUtcMs: Number.NaN,
        pendingBatch: 0,
        commit: 0,
        entryPlace: 0,
      });
    }
    return true;
  }
}
