import { setImmediate as endOfTurn } from 'node:timers/promises';
import { foldDeals } from '../domain/live/fold-deals.ts';
import { FoldEffects } from '../domain/live/fold-effects.ts';
import { foldSnapshot } from '../domain/live/fold-snapshot.ts';
import type { LiveDeal, LiveEvent } from '../domain/live/live-records.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { type JournalEntry, liveDealOf, WITHOUT_SNAPSHOT } from '../journal/entry.ts';
import { applyCommand } from './apply-command.ts';
import type { TrackedAccount } from './tracked-account.ts';

const NO_DEALS: readonly LiveDeal[] = [];

/** Receives the effects of folding on accounts. */
export type FoldTarget = {
  /** The account has changed, with this many more records to store. */
  changed(account: TrackedAccount, records: number): void;
  /** The account's last step found events. */
  found(account: TrackedAccount, events: readonly LiveEvent[]): void;
};

/** An account left half changed by a step, and why. */
export type Failure = { account: TrackedAccount; error: unknown };

/** Folds entries into accounts. A row that breaks one account does not stop the others. */
export class EntryFolder {
  readonly #rules: TrackerRules;
  readonly #target: FoldTarget;
  readonly #effects = new FoldEffects();
  #failures: Failure[] = [];

  constructor(rules: TrackerRules, target: FoldTarget) {
    this.#rules = rules;
    this.#target = target;
  }

  /**
   * Folds the entry's deals, snapshots and command into `accounts`, which are at the places of the
   * entry's account numbers; undefined ones are skipped. Returns the accounts that it broke,
   * usually none.
   */
  fold(
    position: number,
    entry: JournalEntry,
    accounts: (TrackedAccount | undefined)[],
  ): readonly Failure[] {
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
        if (outcome === 'too-far-ahead' && own.length === 0) continue;
        const isNews = outcome === 'accepted' || outcome === 'late';
        if (isNews) account.remember(atMs, held, worth, receivedUtcMs);
        this.#report(account);
      } catch (error) {
        accounts[place] = undefined;
        this.#fail(account, error);
      }
    }
    const { command } = entry;
    const [first] = accounts;
    if (command && first) {
      const isApplied = this.#step(first, (effects) =>
        applyCommand(first, command, position, receivedUtcMs, this.#rules, effects),
      );
      if (!isApplied) accounts[0] = undefined;
    }
    return this.#takeFailures();
  }

  /** Does a single step with an account, such as attaching a seeded tracker. */
  step(account: TrackedAccount, work: (effects: FoldEffects) => void): readonly Failure[] {
    this.#step(account, work);
    return this.#takeFailures();
  }

  #step(account: TrackedAccount, work: (effects: FoldEffects) => void): boolean {
    try {
      work(this.#effects);
      this.#report(account);
      return true;
    } catch (error) {
      this.#fail(account, error);
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
      const isFolded = this.#step(account, (effects) =>
        foldDeals(account, own.map(liveDealOf), receivedUtcMs, effects),
      );
      if (!isFolded) accounts[place] = undefined;
    }
    return count;
  }

  /** Passes the outcome of a step to the target. */
  #report(account: TrackedAccount): void {
    const effects = this.#effects;
    this.#target.changed(account, account.keep(effects));
    const { events, revisions, transitions, warnings, feedChanges } = effects;
    const told = warnings.length + transitions.length + feedChanges.length;
    if (events.length + revisions.length + told === 0) return;
    // A transition comes after the event that caused it, an event after the one it replaces.
    const ofLimits = [...revisions, ...events, ...warnings];
    this.#target.found(account, [...feedChanges, ...ofLimits, ...transitions]);
    events.length = 0;
    revisions.length = 0;
    transitions.length = 0;
    warnings.length = 0;
    feedChanges.length = 0;
  }

  #fail(account: TrackedAccount, error: unknown): void {
    this.#effects.clear();
    this.#failures.push({ account, error });
  }

  #takeFailures(): readonly Failure[] {
    if (this.#failures.length === 0) return NO_FAILURES;
    const failures = this.#failures;
    this.#failures = [];
    return failures;
  }
}

const NO_FAILURES: readonly Failure[] = [];

/** Snapshots folded in one turn of the event loop: some 10 ms if each of them closes an hour. */
const ROWS_PER_TURN = 2000;

/**
 * Limits how much the partitions of a process fold before other work runs in the event loop. An
 * entry is folded whole, so that a part of it is never visible; between entries others may run.
 */
export class FoldTurns {
  #rows = 0;
  #next: Promise<void> | undefined;

  /** Counts the rows of a folded entry. */
  took(rows: number): void {
    this.#rows += rows;
    this.#next ??= endOfTurn().then(() => {
      this.#rows = 0;
      this.#next = undefined;
    });
  }

  /** True when other work must run before more is folded. */
  get isOver(): boolean {
    return this.#rows >= ROWS_PER_TURN;
  }

  /** Resolves in the next turn. Another partition may have used up that turn: check `isOver`. */
  next(): Promise<void> {
    return this.#next ?? Promise.resolve();
  }
}
