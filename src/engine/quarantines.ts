import { StoredCommit } from '../journal/commit-codec.ts';
import { type JournalEntry, partOfCommit } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Database } from '../storage/database.ts';
import { readParkedEntries } from '../storage/live-store.ts';
import type { Checkpointer } from './checkpointer.ts';
import { loadAccounts } from './load-accounts.ts';
import type { PartitionFold } from './partition-fold.ts';
import type { EngineLogger, Persistence } from './persistence.ts';
import { Quarantine } from './quarantine.ts';
import type { AccountMemory, PlacedEntry, TrackedAccount } from './tracked-account.ts';

const ENTRIES_PER_READ = 100;

export type QuarantineParts = {
  database: Database;
  journal: Journal;
  partition: number;
  persistence: Persistence;
  memory: AccountMemory;
  logger: EngineLogger;
  checkpointer: Checkpointer;
  /** A function, as the fold is made after this. */
  fold: () => PartitionFold;
};

/** The accounts of a partition that are in quarantine. */
export class Quarantines {
  readonly #parts: QuarantineParts;
  readonly #all = new Map<number, Quarantine>();
  /** For quarantines that are being collected: the position of the account's stored state. */
  readonly #collectedFrom = new Map<Quarantine, number>();

  constructor(parts: QuarantineParts) {
    this.#parts = parts;
  }

  has(accountNumber: number): boolean {
    return this.#all.has(accountNumber);
  }

  get size(): number {
    return this.#all.size;
  }

  /** If this process dies, entries after this position are needed again; undefined if none are. */
  get floor(): number | undefined {
    let floor: number | undefined;
    for (const quarantine of this.#all.values()) {
      const { isEnding, until } = quarantine;
      const own = this.#collectedFrom.get(quarantine) ?? (isEnding ? until : undefined);
      if (own !== undefined) floor = Math.min(floor ?? own, own);
    }
    return floor;
  }

  /** Restores a quarantine from the account's row. */
  restore(accountNumber: number, park: string, until: number): void {
    this.#all.set(accountNumber, Quarantine.read(accountNumber, park, until));
  }

  /** Quarantines an account whose stored state cannot be read; its first entry is at `position`. */
  startUnreadable(number: number, error: unknown, position: number, stored: number): void {
    const park = { reason: reasonOf(error), position, statePosition: stored, skipped: [] };
    this.#begin(new Quarantine(number, park, position - 1), error);
  }

  /**
   * Quarantines an account that the entry at `position` has broken: only its stored state counts.
   * Entries up to `reached` have been taken by now; later ones come through `take`.
   */
  start(account: TrackedAccount, error: unknown, position: number, reached: number): void {
    const { number, storedPosition } = account;
    const park = {
      ...{ reason: reasonOf(error), position, skipped: [] },
      statePosition: storedPosition,
    };
    const quarantine = new Quarantine(number, park, reached);
    quarantine.isCollecting = true;
    this.#collectedFrom.set(quarantine, storedPosition);
    this.#begin(quarantine, error);
    this.#collect(quarantine, account, reached).catch(() => {});
  }

  /** Keeps an account's part of an entry, if the account is in quarantine. */
  take(accountNumber: number, position: number, entry: JournalEntry): void {
    const quarantine = this.#all.get(accountNumber);
    const part = quarantine && partOfCommit(entry, accountNumber);
    if (!quarantine || !part) return;
    if (part.command?.kind === 'quarantine-ended') {
      this.#end(quarantine, part.command.withoutPosition);
      return;
    }
    quarantine.add(position, part);
    this.#parts.checkpointer.markParked(quarantine);
  }

  remove(accountNumber: number): Quarantine | undefined {
    const quarantine = this.#all.get(accountNumber);
    this.#all.delete(accountNumber);
    if (quarantine) this.#collectedFrom.delete(quarantine);
    return quarantine;
  }

  #begin(quarantine: Quarantine, error: unknown): void {
    const { accountNumber, park } = quarantine;
    this.#all.set(accountNumber, quarantine);
    this.#parts.checkpointer.markParked(quarantine);
    const fields = { err: error, accountNumber, position: park.position };
    this.#parts.logger.error(fields, 'an entry cannot be folded: its account is in quarantine');
  }

  /** Reads the entries after the account's stored state from the log. */
  async #collect(quarantine: Quarantine, account: TrackedAccount, reached: number): Promise<void> {
    const { persistence, journal, partition, checkpointer } = this.#parts;
    // A write under way was encoded before the account broke, so it counts.
    await checkpointer.settle();
    const from = Math.max(account.storedPosition, checkpointer.stored);
    const entries: PlacedEntry[] = [];
    for (let after = from; after < reached; ) {
      const commits = await persistence.insist('reading the journal', () => journal.read(after));
      for (const commit of commits) {
        const part = commit.position <= reached && readPart(commit, partition, account.number);
        if (part) entries.push({ position: commit.position, entry: part });
      }
      after = commits.at(-1)?.position ?? reached;
    }
    quarantine.collected(entries, account.storedPosition);
    this.#collectedFrom.delete(quarantine);
    if (this.#all.get(account.number) === quarantine) {
      checkpointer.markParked(quarantine);
      this.#endIfWanted(quarantine);
    }
    checkpointer.plan();
  }

  /** Folds the waiting entries; if that fails, the quarantine continues. */
  #end(quarantine: Quarantine, withoutPosition: number | undefined): void {
    // For good: if another entry fails, this one must not come back.
    if (withoutPosition !== undefined) quarantine.park.skipped.push(withoutPosition);
    quarantine.isEndWanted = true;
    this.#endIfWanted(quarantine);
  }

  #endIfWanted(quarantine: Quarantine): void {
    if (!quarantine.isEndWanted || quarantine.isCollecting || quarantine.isEnding) return;
    quarantine.isEndWanted = false;
    quarantine.isEnding = true;
    this.#refold(quarantine).catch(() => {});
  }

  async #refold(quarantine: Quarantine): Promise<void> {
    const { accountNumber, park } = quarantine;
    const { database, persistence, memory, checkpointer, fold } = this.#parts;
    const [loaded] = await persistence.insist('loading an account', () =>
      loadAccounts(database, [accountNumber], memory, { alsoParked: true }),
    );
    if (!loaded?.account) return this.#goOn(quarantine, loaded?.damage, park.position);
    const { account } = loaded;
    // Until the account is stored again, the quarantine's rows hold what its stored state lacks.
    account.storedPosition = park.statePosition;
    let failure: unknown;
    const folder = fold().folderFor((error) => {
      failure = error;
    });
    const isFolded = (position: number, body: Uint8Array): boolean => {
      try {
        const entry = new StoredCommit(position, body).entryOf(0);
        return !entry || fold().applyTo(account, [{ position, entry }], folder);
      } catch (damage) {
        failure = damage;
        return false;
      }
    };
    let folded = park.statePosition;
    for (;;) {
      const rows = await persistence.insist('reading a quarantine', () =>
        readParkedEntries(database, accountNumber, folded, ENTRIES_PER_READ),
      );
      for (const { position, body } of rows) {
        if (park.skipped.includes(position) || isFolded(position, body)) continue;
        account.free();
        return this.#goOn(quarantine, failure, position);
      }
      folded = rows.at(-1)?.position ?? folded;
      if (rows.length < ENTRIES_PER_READ) break;
    }
    // Nothing is awaited from here on, so the next entry finds the account readmitted.
    if (this.#all.get(accountNumber) !== quarantine) return account.free();
    this.#all.delete(accountNumber);
    fold().readmit(account);
    checkpointer.markReleased(account, quarantine);
    // Some may have been stored without our knowing yet: those were read and folded above.
    const waiting = quarantine.takeWaiting().filter(({ position }) => position > folded);
    fold().applyTo(
      account,
      waiting.filter(({ position }) => !park.skipped.includes(position)),
    );
    checkpointer.plan();
  }

  #goOn(quarantine: Quarantine, error: unknown, position: number): void {
    quarantine.isEnding = false;
    quarantine.park.reason = reasonOf(error);
    quarantine.park.position = position;
    this.#parts.checkpointer.markParked(quarantine);
    this.#endIfWanted(quarantine);
    this.#parts.checkpointer.plan();
  }
}

function readPart(
  commit: StoredCommit,
  partition: number,
  accountNumber: number,
): JournalEntry | undefined {
  try {
    const entry = commit.entryOf(partition);
    return entry && partOfCommit(entry, accountNumber);
  } catch {
    // It was unreadable in its turn too and was set aside: see Partition.
    return undefined;
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
