import type { FoldEffects } from '../domain/live/fold-effects.ts';
import {
  isBreach,
  isMeasured,
  isOfTracker,
  type LiveEvent,
  type TrackerEvent,
} from '../domain/live/live-records.ts';
import { RecentMap } from '../domain/recent-map.ts';
import { type JournalEntry, partOfCommit } from '../journal/entry.ts';
import type { Backlog } from './backlog.ts';
import type { EventPublisher } from './event-publisher.ts';
import { EntryFolder, type Failure } from './fold-entry.ts';
import type { LoadedAccount } from './load-accounts.ts';
import type { Quarantine } from './quarantine.ts';
import type { Quarantines } from './quarantines.ts';
import { splitAt } from './recent-snapshots.ts';
import type { SettlingBreaches } from './settling-breaches.ts';
import {
  type AccountMemory,
  type Hold,
  type PlacedEntry,
  recordsIn,
  type TrackedAccount,
} from './tracked-account.ts';

/** Deleted accounts whose numbers are kept instead of looked up again; more than in an entry. */
const MAX_GONE = 10_000;

export type FoldParts = {
  memory: AccountMemory;
  backlog: Backlog;
  publisher: EventPublisher;
  quarantines: Quarantines;
  settling: Pick<SettlingBreaches, 'note'>;
  /** Called for each account that an entry has changed. */
  folded: (accountNumber: number) => void;
};

/**
 * Holds the accounts of a partition in memory and folds entries into them, each once and in order.
 * Entries of an account wait while its tracker is seeded, or in quarantine until an operator ends
 * that; all other accounts go on. Nothing here waits: slow work is begun in the backlog.
 */
export class PartitionFold {
  readonly #parts: FoldParts;
  readonly #accounts = new Map<number, TrackedAccount>();
  readonly #gone = new RecentMap<number, true>(MAX_GONE);
  readonly #folder: EntryFolder;
  /** Folds into accounts that are not readmitted yet, so they are not stored. */
  readonly #refolder: EntryFolder;
  /** The entry being folded, and how many events it has brought. */
  #at = 0;
  #ordinal = 0;
  /** The findings are the past of a new tracker. */
  #isSeeding = false;

  constructor(parts: FoldParts) {
    const { memory } = parts;
    this.#parts = parts;
    this.#folder = new EntryFolder(memory.rules, this);
    this.#refolder = new EntryFolder(memory.rules, {
      changed: () => {},
      found: (account, events) => this.found(account, events),
    });
  }

  /** The account as folded so far; undefined if it is not in memory. */
  find(accountNumber: number): TrackedAccount | undefined {
    return this.#accounts.get(accountNumber);
  }

  get size(): number {
    return this.#accounts.size;
  }

  /** Accounts of an entry that must be loaded before folding it. */
  missing({ accounts }: JournalEntry): number[] {
    const missing: number[] = [];
    for (const number of accounts) {
      const isKnown =
        this.#accounts.has(number) || this.#parts.quarantines.has(number) || this.#gone.has(number);
      if (!isKnown) missing.push(number);
    }
    return missing;
  }

  /**
   * Takes loaded accounts. `wanted` maps account numbers to the position of the entry that needs
   * them; wanted accounts that were not found do not exist.
   */
  admit(wanted: ReadonlyMap<number, number>, loaded: readonly LoadedAccount[]): void {
    const found = new Set(loaded.map(({ number }) => number));
    for (const number of wanted.keys()) if (!found.has(number)) this.#gone.set(number, true);
    for (const { number, account, park, damage, position: until } of loaded) {
      if (account) this.#accounts.set(number, account);
      else if (park !== undefined) this.#parts.quarantines.restore(number, park, until);
      else {
        const position = wanted.get(number) ?? until + 1;
        this.#parts.quarantines.startUnreadable(number, damage, position, until);
      }
    }
  }

  /** Folds the partition's part of the next commit. All its accounts that exist are in memory. */
  apply(position: number, entry: JournalEntry | undefined): void {
    const { backlog, quarantines } = this.#parts;
    backlog.reach(position);
    if (!entry) return;
    this.#at = position;
    this.#ordinal = 0;
    const { accounts, command } = entry;
    const targets = new Array<TrackedAccount | undefined>(accounts.length);
    for (let place = 0; place < accounts.length; place += 1) {
      const number = accounts[place] ?? 0;
      const account = this.#accounts.get(number);
      // The loaded state already includes this entry.
      if (account) {
        if (account.loadedPosition >= position) continue;
        if (account.hold) keepWaiting(account.hold, account.number, position, entry);
        else targets[place] = account;
      } else quarantines.take(number, position, entry);
    }
    this.#breakAll(this.#folder.fold(position, entry, targets));
    if (!command) return;
    if (command.kind === 'account-removed') this.#remove(accounts[0] ?? 0);
    else if (targets[0]) this.#beginHold(targets[0]);
  }

  /** Ends an account's hold: attaches the seeded tracker, then folds the waiting entries. */
  release(account: TrackedAccount, attach: (effects: FoldEffects) => void): void {
    const hold = this.#endHold(account);
    if (!hold) return;
    this.#ordinal = 0;
    this.#isSeeding = true;
    this.#breakAll(this.#folder.step(account, attach));
    this.#isSeeding = false;
    if (!account.isGone) this.#breakAll(this.#applyTo(account, hold.waiting, this.#folder));
  }

  /** Quarantines an account whose tracker cannot be seeded. */
  breakHeld(account: TrackedAccount, error: unknown): void {
    if (this.#endHold(account)) this.#breakAll([{ account, error }]);
  }

  /** Folds a waiting entry into an account that leaves its quarantine. Throws if that breaks. */
  refold(account: TrackedAccount, waiting: PlacedEntry): void {
    const [failure] = this.#applyTo(account, [waiting], this.#refolder);
    if (failure) throw failure.error;
  }

  /** Readmits an account that has left its quarantine, and folds the entries left in memory. */
  readmit(account: TrackedAccount, from: Quarantine, waiting: readonly PlacedEntry[]): void {
    this.#accounts.set(account.number, account);
    this.#parts.backlog.markReleased(account, from);
    this.#beginHold(account);
    this.#breakAll(this.#applyTo(account, waiting, this.#folder));
  }

  changed(account: TrackedAccount, records: number): void {
    const { backlog, settling, folded } = this.#parts;
    backlog.mark(account, records);
    folded(account.number);
    // False for NaN: usually no breach waits.
    if (account.settleDueUtcMs > 0) settling.note(account.number, account.settleDueUtcMs, account);
  }

  /** Publishes events with the snapshots before them, and watches for those after a breach. */
  found(account: TrackedAccount, events: readonly LiveEvent[]): void {
    const recent = this.#parts.memory.recent.encode(account);
    for (const event of events) {
      const { before, after } = isMeasured(event)
        ? splitAt(recent, event.timeMs)
        : { before: recent, after: [] };
      this.#parts.publisher.add({
        accountNumber: account.number,
        event,
        moneyDigits: account.moneyDigits,
        position: this.#at,
        ordinal: this.#ordinal,
        beforeBreach: before,
        isOver: this.#isSeeding && isOfTracker(event) && isOver(event, account),
        periodEndMs: isOfTracker(event) ? periodEndOf(event, account) : undefined,
      });
      this.#ordinal += 1;
      if (!isBreach(event)) continue;
      account.watches ??= [];
      const { trackerId, exceededThresholdType: kind, startTimeMs, round } = event;
      const isDirty = after.length > 0;
      account.watches.push({ trackerId, kind, startTimeMs, round, after, isDirty });
    }
  }

  /** Folds the waiting entries of one account, up to one that breaks it. */
  #applyTo(
    account: TrackedAccount,
    entries: readonly PlacedEntry[],
    folder: EntryFolder,
  ): readonly Failure[] {
    for (const { position, entry } of entries) {
      if (account.hold) {
        account.hold.waiting.push({ position, entry });
        continue;
      }
      this.#at = position;
      this.#ordinal = 0;
      const failures = folder.fold(position, entry, [account]);
      if (failures.length > 0) return failures;
      if (folder === this.#folder) this.#beginHold(account);
    }
    return [];
  }

  /** Starts seeding the account's tracker, if its last entry has put it on hold. */
  #beginHold(account: TrackedAccount): void {
    const { hold } = account;
    if (hold) this.#parts.backlog.begin({ kind: 'seed', account, hold }, hold.position - 1);
  }

  /** Ends the hold, with `#at` set to its position; undefined if it has already ended. */
  #endHold(account: TrackedAccount): Hold | undefined {
    const { hold } = account;
    if (!hold || account.isGone) return undefined;
    this.#parts.backlog.endWork(hold);
    account.hold = undefined;
    this.#at = hold.position;
    return hold;
  }

  /** Removes an account, even if not in memory: the database may have rows of it. */
  #remove(number: number): void {
    const { backlog, quarantines } = this.#parts;
    const account = this.#accounts.get(number);
    if (account) this.#free(account);
    this.#gone.set(number, true);
    backlog.markRemoved(number, quarantines.remove(number));
  }

  #breakAll(failures: readonly Failure[]): void {
    for (const { account, error } of failures) {
      this.#free(account);
      this.#parts.quarantines.start(account, error, this.#at);
    }
  }

  #free(account: TrackedAccount): void {
    this.#accounts.delete(account.number);
    this.#parts.backlog.records -= recordsIn(account.pending);
    if (account.hold) this.#parts.backlog.endWork(account.hold);
    account.free();
  }
}

const isOver = ({ endTimeMs = Number.POSITIVE_INFINITY }: TrackerEvent, account: TrackedAccount) =>
  endTimeMs < account.lastTimeMs;

/** That of an earlier period than the running one is long past; undefined if it has no end. */
function periodEndOf(
  { trackerId, startTimeMs }: TrackerEvent,
  { trackers }: TrackedAccount,
): number | undefined {
  const tracker = trackers.find(({ id }) => id === trackerId);
  if (tracker?.periodStartMs !== startTimeMs) return 0;
  return Number.isFinite(tracker.periodEndUtcMs) ? tracker.periodEndUtcMs : undefined;
}

function keepWaiting({ waiting }: Hold, number: number, position: number, entry: JournalEntry) {
  const part = partOfCommit(entry, number);
  if (part && part.command?.kind !== 'account-removed') waiting.push({ position, entry: part });
}
