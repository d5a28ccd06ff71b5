import { type JournalEntry, partOfCommit } from '../journal/entry.ts';
import type { Backlog } from './backlog.ts';
import type { EngineLogger } from './persistence.ts';
import { type Park, Quarantine } from './quarantine.ts';
import type { TrackedAccount } from './tracked-account.ts';

/** How many characters of a reason are kept. */
const MAX_REASON = 500;

/** The accounts of a partition that are in quarantine. Slow work is in quarantine-work.ts. */
export class Quarantines {
  readonly #backlog: Backlog;
  readonly #logger: EngineLogger;
  readonly #all = new Map<number, Quarantine>();

  constructor(backlog: Backlog, logger: EngineLogger) {
    this.#backlog = backlog;
    this.#logger = logger;
  }

  has(accountNumber: number): boolean {
    return this.#all.has(accountNumber);
  }

  /** Whether the account is still in this quarantine. */
  includes(quarantine: Quarantine): boolean {
    return this.#all.get(quarantine.accountNumber) === quarantine;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Restores a quarantine from the account's row. */
  restore(accountNumber: number, park: string, until: number): void {
    this.#all.set(accountNumber, Quarantine.read(accountNumber, park, until));
  }

  /** Quarantines an account whose stored state cannot be read; its first entry is at `position`. */
  startUnreadable(number: number, error: unknown, position: number, stored: number): void {
    const park = { reason: reasonOf(error), position, statePosition: stored, skipped: [] };
    this.#begin(number, park, position - 1, error);
  }

  /**
   * Quarantines an account that the entry at `position` has broken: only its stored state counts.
   * Entries that were taken by now are collected; later ones come through `take`.
   */
  start(account: TrackedAccount, error: unknown, position: number): void {
    const { number, storedPosition: statePosition } = account;
    const park = { reason: reasonOf(error), position, statePosition, skipped: [] };
    const quarantine = this.#begin(number, park, this.#backlog.position, error);
    quarantine.state = 'collecting';
    this.#backlog.begin({ kind: 'collect', quarantine, account }, statePosition);
  }

  /** Keeps an account's part of an entry, if the account is in quarantine. */
  take(accountNumber: number, position: number, entry: JournalEntry): void {
    const quarantine = this.#all.get(accountNumber);
    const part = quarantine && partOfCommit(entry, accountNumber);
    if (!quarantine || !part) return;
    if (part.command?.kind === 'quarantine-ended') {
      const { withoutPosition } = part.command;
      // Permanently: if another entry fails, this one must not come back.
      if (withoutPosition !== undefined) quarantine.park.skipped.push(withoutPosition);
      quarantine.isEndWanted = true;
      this.goOn(quarantine);
      return;
    }
    quarantine.add(position, part);
    this.#backlog.parked.add(quarantine);
  }

  /** Folds the waiting entries again if that is requested and possible; otherwise keeps waiting. */
  goOn(quarantine: Quarantine): void {
    if (!quarantine.isEndWanted || quarantine.state !== 'waiting') return;
    quarantine.isEndWanted = false;
    quarantine.state = 'refolding';
    this.#backlog.begin({ kind: 'refold', quarantine }, quarantine.until);
  }

  /**
   * Continues after work beside the fold has found why the entry at a position breaks the account.
   */
  goOnWith(quarantine: Quarantine, why?: { error: unknown; position: number }): void {
    if (why) {
      quarantine.park.reason = reasonOf(why.error);
      quarantine.park.position = why.position;
    }
    quarantine.state = 'waiting';
    this.#backlog.endWork(quarantine);
    if (!this.includes(quarantine)) return;
    this.#backlog.parked.add(quarantine);
    this.goOn(quarantine);
  }

  remove(accountNumber: number): Quarantine | undefined {
    const quarantine = this.#all.get(accountNumber);
    this.#all.delete(accountNumber);
    if (quarantine) this.#backlog.endWork(quarantine);
    return quarantine;
  }

  #begin(number: number, park: Park, until: number, error: unknown): Quarantine {
    const quarantine = new Quarantine(number, park, until);
    this.#all.set(number, quarantine);
    this.#backlog.parked.add(quarantine);
    const fields = { err: error, accountNumber: number, position: park.position };
    this.#logger.error(fields, 'an entry cannot be folded: its account is in quarantine');
    return quarantine;
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
