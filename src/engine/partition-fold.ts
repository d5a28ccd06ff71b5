import {
  type FoldEffects,
  isBreach,
  isMeasured,
  type LiveEvent,
  type TrackerEvent,
} from '../domain/live/live-records.ts';
import { startsInPast } from '../domain/live/tracker-seeding.ts';
import { RecentMap } from '../domain/recent-map.ts';
import { type Command, type JournalEntry, partOfCommit } from '../journal/entry.ts';
import type { Checkpointer } from './checkpointer.ts';
import type { EventPublisher } from './event-publisher.ts';
import { EntryFolder } from './fold-entry.ts';
import type { LoadedAccount } from './load-accounts.ts';
import { obeyCommand } from './obey-command.ts';
import type { Quarantines } from './quarantines.ts';
import { splitAt } from './recent-snapshots.ts';
import type { SettlingBreaches } from './settling-breaches.ts';
import type { AccountMemory, Hold, PlacedEntry, TrackedAccount } from './tracked-account.ts';

/** Deleted accounts whose numbers are remembered, so that they are not looked up each time. */
const MAX_GONE = 10_000;

export type FoldParts = {
  memory: AccountMemory;
  publisher: EventPublisher;
  checkpointer: Checkpointer;
  quarantines: Quarantines;
  settling: Pick<SettlingBreaches, 'note'>;
  /** Begins to seed the tracker for which an account is on hold. */
  seed: (account: TrackedAccount, hold: Hold) => void;
};

/**
 * Holds the accounts of a partition in memory and folds entries into them, each once and in order.
 * Entries of an account wait while its tracker is seeded, or in quarantine until an operator ends
 * that; all other accounts go on.
 */
export class PartitionFold {
  readonly #parts: FoldParts;
  readonly #accounts = new Map<number, TrackedAccount>();
  readonly #gone = new RecentMap<number, true>(MAX_GONE);
  readonly #holding = new Map<TrackedAccount, Hold>();
  readonly #folder: EntryFolder;
  /** Positions: of the entry being folded, and of the last one taken. */
  #at = 0;
  #reached = 0;
  #ordinal = 0;
  /** What is found is a new tracker's past. */
  #isSeeding = false;
  /** About how many records are not in the database yet. */
  #records = 0;

  constructor(parts: FoldParts) {
    this.#parts = parts;
    this.#folder = new EntryFolder({
      changed: (account, records) => {
        parts.checkpointer.mark(account);
        // False for NaN: usually nothing waits.
        if (account.settleDueUtcMs > 0) parts.settling.note(account.number, account.settleDueUtcMs);
        this.#records += records;
      },
      found: (account, events) => this.#publish(account, events),
      failed: (account, error) => this.#quarantine(account, error),
    });
  }

  /** The account as folded so far; undefined if it is not in memory. */
  find(accountNumber: number): TrackedAccount | undefined {
    return this.#accounts.get(accountNumber);
  }

  get size(): number {
    return this.#accounts.size;
  }

  get records(): number {
    return this.#records;
  }

  set records(records: number) {
    this.#records = Math.max(0, records);
  }

  /** If this process dies, entries after this position are needed again; undefined if none are. */
  get floor(): number | undefined {
    let floor: number | undefined;
    for (const { position } of this.#holding.values()) {
      floor = Math.min(floor ?? position, position - 1);
    }
    return floor;
  }

  /** Accounts of an entry that must be loaded before it is folded. */
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

  /** Folds the next entry. All its accounts that exist must be in memory. */
  apply(position: number, entry: JournalEntry): void {
    this.#at = position;
    this.#reached = position;
    this.#ordinal = 0;
    const { accounts, command } = entry;
    const targets = new Array<TrackedAccount | undefined>(accounts.length);
    for (let place = 0; place < accounts.length; place += 1) {
      const number = accounts[place] ?? 0;
      const account = this.#accounts.get(number);
      // The state that was loaded includes this entry already.
      if (account) {
        if (account.loadedPosition >= position) continue;
        if (account.hold) keepWaiting(account.hold, account.number, position, entry);
        else targets[place] = account;
      } else this.#parts.quarantines.take(number, position, entry);
    }
    this.#folder.fold(entry, targets);
    if (!command) return;
    const [number = 0] = accounts;
    if (command.kind === 'account-removed') this.#remove(number);
    else if (targets[0]) this.#obey(targets[0], command, entry.receivedUtcMs, this.#folder);
  }

  /** Folds entries of one account that have waited. */
  applyTo(
    account: TrackedAccount,
    entries: readonly PlacedEntry[],
    folder = this.#folder,
  ): boolean {
    for (const { position, entry } of entries) {
      this.#at = position;
      this.#ordinal = 0;
      if (account.hold) {
        account.hold.waiting.push({ position, entry });
        continue;
      }
      const target: (TrackedAccount | undefined)[] = [account];
      folder.fold(entry, target);
      if (!target[0]) return false;
      const { command, receivedUtcMs } = entry;
      if (command && !this.#obey(account, command, receivedUtcMs, folder)) return false;
    }
    return true;
  }

  /** Ends an account's hold: attaches the seeded tracker, then folds the entries that waited. */
  release(account: TrackedAccount, attach: Parameters<EntryFolder['step']>[1]): void {
    const hold = this.#endHold(account);
    if (!hold) return;
    this.#ordinal = 0;
    this.#isSeeding = true;
    this.#folder.step(account, attach);
    this.#isSeeding = false;
    if (!account.isGone) this.applyTo(account, hold.waiting);
  }

  /** Quarantines an account whose tracker cannot be seeded. */
  breakHeld(account: TrackedAccount, error: unknown): void {
    if (this.#endHold(account)) this.#quarantine(account, error);
  }

  /** A folder for an account that is not readmitted yet; calls `failed` if an entry breaks it. */
  folderFor(failed: (error: unknown) => void): EntryFolder {
    return new EntryFolder({
      changed: () => {},
      found: (account, events) => this.#publish(account, events),
      failed: (_account, error) => failed(error),
    });
  }

  /** Takes back an account whose quarantine has ended. */
  readmit(account: TrackedAccount): void {
    this.#accounts.set(account.number, account);
    if (account.hold) this.#beginHold(account, account.hold);
  }

  #beginHold(account: TrackedAccount, hold: Hold): void {
    this.#holding.set(account, hold);
    this.#parts.seed(account, hold);
  }

  /** Ends the hold, with `#at` set to its position; undefined if there is none any more. */
  #endHold(account: TrackedAccount): Hold | undefined {
    const { hold } = account;
    this.#holding.delete(account);
    if (!hold || account.isGone) return undefined;
    account.hold = undefined;
    this.#at = hold.position;
    return hold;
  }

  /** Applies a command; false if it failed, which breaks the account as a snapshot would. */
  #obey(
    account: TrackedAccount,
    command: Command,
    receivedUtcMs: number,
    folder: EntryFolder,
  ): boolean {
    return folder.step(account, (effects) =>
      this.#follow(account, command, receivedUtcMs, effects),
    );
  }

  #follow(
    account: TrackedAccount,
    command: Command,
    receivedUtcMs: number,
    effects: FoldEffects,
  ): void {
    if (command.kind !== 'tracker-added' || !startsInPast(account, command.definition)) {
      obeyCommand(account, command, receivedUtcMs, this.#parts.memory, effects);
      return;
    }
    const { definition } = command;
    if (account.trackers.some(({ id }) => id === definition.id)) return;
    account.hold = { tracker: definition, position: this.#at, waiting: [] };
    // An account leaving quarantine needs all its entries first: see readmit.
    if (this.#accounts.has(account.number)) this.#beginHold(account, account.hold);
  }

  /** Removes an account, even if it is not in memory: the database may have rows of it. */
  #remove(number: number): void {
    const account = this.#accounts.get(number);
    this.#accounts.delete(number);
    if (account) this.#holding.delete(account);
    account?.free();
    this.#gone.set(number, true);
    this.#parts.checkpointer.markRemoved(number, this.#parts.quarantines.remove(number));
  }

  #quarantine(account: TrackedAccount, error: unknown): void {
    this.#accounts.delete(account.number);
    this.#holding.delete(account);
    account.free();
    this.#parts.quarantines.start(account, error, this.#at, this.#reached);
  }

  /** Publishes events with the snapshots up to them, and watches for those after a breach. */
  #publish(account: TrackedAccount, events: readonly LiveEvent[]): void {
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
        isOver: !isBreach(event) || (this.#isSeeding && isOver(event, account)),
      });
      this.#ordinal += 1;
      if (!isBreach(event)) continue;
      account.watches ??= [];
      const { trackerId, exceededThresholdType: kind, startTimeMs, round } = event;
      const isDirty = after.length > 0;
      account.watches.push({ trackerId, kind, startTimeMs, round, after, isDirty });
    }
  }
}

const isOver = ({ endTimeMs = Number.POSITIVE_INFINITY }: TrackerEvent, account: TrackedAccount) =>
  endTimeMs < account.lastTimeMs;

function keepWaiting({ waiting }: Hold, number: number, position: number, entry: JournalEntry) {
  const part = partOfCommit(entry, number);
  if (part && part.command?.kind !== 'account-removed') waiting.push({ position, entry: part });
}
