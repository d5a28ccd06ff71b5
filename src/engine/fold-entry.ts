import { foldDeals } from '../domain/live/fold-deals.ts';
import { foldSnapshot } from '../domain/live/fold-snapshot.ts';
import { FoldEffects, type LiveDeal, type LiveEvent } from '../domain/live/live-records.ts';
import { type JournalEntry, liveDealOf, WITHOUT_SNAPSHOT } from '../journal/entry.ts';
import type { TrackedAccount } from './tracked-account.ts';

const NO_DEALS: readonly LiveDeal[] = [];

/** Receives what folding does to accounts. */
export type FoldTargets = {
  /** The account has changed; `records` counts its new records, to be stored with it. */
  changed(account: TrackedAccount, records: number): void;
  /** The account's last step found events. */
  found(account: TrackedAccount, events: readonly LiveEvent[]): void;
  /** The account's step failed and left it half changed. */
  failed(account: TrackedAccount, error: unknown): void;
};

/** Folds entries into accounts. A row that breaks one account does not stop the others. */
export class EntryFolder {
  readonly #targets: FoldTargets;
  readonly #effects = new FoldEffects();

  constructor(targets: FoldTargets) {
    this.#targets = targets;
  }

  /**
   * Folds the entry's deals and snapshots into `accounts`, which are at the places of the entry's
   * account numbers; undefined ones are skipped, and one that breaks becomes undefined. The entry's
   * command is left to the caller.
   */
  fold(entry: JournalEntry, accounts: (TrackedAccount | undefined)[]): void {
    let deal = this.#foldLoneDeals(entry, accounts);
    const { deals, timeMs, balance, equity, account: places, receivedUtcMs, rowCount } = entry;
    for (let row = 0; row < rowCount; row += 1) {
      const place = places[row] ?? 0;
      let own = NO_DEALS;
      if (deals[deal]?.[1] === row) {
        const first = deal;
        while (deals[deal]?.[1] === row) deal += 1;
        own = deals.slice(first, deal).map(liveDealOf);
      }
      const account = accounts[place];
      if (!account) continue;
      try {
        const atMs = timeMs[row] ?? 0;
        const held = balance[row] ?? 0;
        const worth = equity[row] ?? 0;
        const effects = this.#effects;
        const outcome = foldSnapshot(account, atMs, held, worth, own, receivedUtcMs, effects);
        if (outcome === 'too-far-ahead') continue;
        if (outcome !== 'duplicate') account.remember(atMs, held, worth, receivedUtcMs);
        this.#hand(account);
      } catch (error) {
        this.#fail(accounts, place, account, error);
      }
    }
  }

  /** Does a step without snapshots: a command, or a seeded tracker. Returns false if it failed. */
  step(account: TrackedAccount, work: (effects: FoldEffects) => void): boolean {
    try {
      work(this.#effects);
      this.#hand(account);
      return true;
    } catch (error) {
      this.#fail([account], 0, account, error);
      return false;
    }
  }

  /** Folds the deals without a snapshot; returns the index of the first deal with one. */
  #foldLoneDeals(
    { deals, receivedUtcMs }: JournalEntry,
    accounts: (TrackedAccount | undefined)[],
  ): number {
    if (deals[0]?.[1] !== WITHOUT_SNAPSHOT) return 0;
    let count = 0;
    while (deals[count]?.[1] === WITHOUT_SNAPSHOT) count += 1;
    for (const [place, own] of Map.groupBy(deals.slice(0, count), ([of]) => of)) {
      const account = accounts[place];
      if (!account) continue;
      try {
        foldDeals(account, own.map(liveDealOf), receivedUtcMs, this.#effects);
        this.#hand(account);
      } catch (error) {
        this.#fail(accounts, place, account, error);
      }
    }
    return count;
  }

  /** Passes the outcome of a step to the targets. */
  #hand(account: TrackedAccount): void {
    const effects = this.#effects;
    this.#targets.changed(account, account.keep(effects));
    const { events, revisions, transitions, feedChanges } = effects;
    const found = events.length + revisions.length + transitions.length + feedChanges.length;
    if (found === 0) return;
    // A transition comes after the event that caused it, an event after what it takes the place of.
    this.#targets.found(account, [...feedChanges, ...revisions, ...events, ...transitions]);
    events.length = 0;
    revisions.length = 0;
    transitions.length = 0;
    feedChanges.length = 0;
  }

  #fail(
    accounts: (TrackedAccount | undefined)[],
    place: number,
    account: TrackedAccount,
    error: unknown,
  ): void {
    this.#effects.clear();
    accounts[place] = undefined;
    this.#targets.failed(account, error);
  }
}
