import { foldDeals } from '../domain/live/fold-deals.ts';
import { foldSnapshot } from '../domain/live/fold-snapshot.ts';
import { FoldEffects, type LiveDeal, type LiveEvent } from '../domain/live/live-records.ts';
import { type JournalEntry, liveDealOf, WITHOUT_SNAPSHOT } from '../journal/entry.ts';
import type { TrackedAccount } from './tracked-account.ts';

const NO_DEALS: readonly LiveDeal[] = [];

/** What becomes of accounts while entries are folded into them. */
export type FoldTargets = {
  /** The account has changed; `records` of it are new that must be stored with it. */
  changed(account: TrackedAccount, records: number): void;
  /** Its last step found events. */
  found(account: TrackedAccount, events: readonly LiveEvent[]): void;
  /** Its step failed and left it half changed. */
  failed(account: TrackedAccount, error: unknown): void;
};

/** Folds entries into accounts. What breaks one account does not keep the others from their rows. */
export class EntryFolder {
  readonly #targets: FoldTargets;
  readonly #effects = new FoldEffects();

  constructor(targets: FoldTargets) {
    this.#targets = targets;
  }

  /**
   * Folds the entry's deals and snapshots into the accounts at their places; those that are undefined
   * are left out. The entry's command is the caller's.
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
        const isNews = outcome === 'accepted' || outcome === 'late';
        if (!isNews && own.length === 0) continue;
        if (isNews) account.remember(atMs, held, worth, receivedUtcMs);
        this.#hand(account);
      } catch (error) {
        this.#fail(accounts, place, account, error);
      }
    }
  }

  /** A step without snapshots: a command, or a tracker that was seeded. Whether it succeeded. */
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

  /** Folds the deals that came without a snapshot; the place of the first that came with one. */
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

  /** Gives away what the step left. */
  #hand(account: TrackedAccount): void {
    const effects = this.#effects;
    this.#targets.changed(account, account.keep(effects));
    const { events, transitions, feedChanges } = effects;
    if (events.length + transitions.length + feedChanges.length === 0) return;
    // A transition comes after the event that caused it.
    this.#targets.found(account, [...feedChanges, ...events, ...transitions]);
    events.length = 0;
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
