import type { ClosedMinutes } from './closed-minutes.ts';
import type { Quarantine } from './quarantine.ts';
import { type Hold, recordsIn, type TrackedAccount } from './tracked-account.ts';

/** Work beside the fold of a partition, which never awaits it. */
export type SideWork =
  /** Gives an account on hold its tracker. */
  | { kind: 'seed'; account: TrackedAccount; hold: Hold }
  /** Finds the entries of an account in quarantine that came before it was one. */
  | { kind: 'collect'; quarantine: Quarantine; account: TrackedAccount }
  /** Folds the entries of a quarantine that an operator has ended. */
  | { kind: 'refold'; quarantine: Quarantine };

/** Changes since the last storing. */
export type Changes = {
  accounts: TrackedAccount[];
  parked: Quarantine[];
  /** Numbers of deleted accounts: nothing more of them will be stored. */
  removed: number[];
};

/**
 * Everything that a partition has folded but not stored, and the position from which the journal is
 * needed again if this process dies now. Folding adds to it, a checkpoint takes from it. All work
 * for the partition shares this one object.
 */
export class Backlog {
  /** Entries up to here are folded and stored. */
  stored: number;
  /** When the last complete checkpoint began, in UTC: everything folded by then is stored. */
  storedAtMs: number | undefined;
  /** Records of accounts to be stored, without minutes. */
  records = 0;
  readonly minutes: ClosedMinutes;
  /** Quarantines with changes to be stored. */
  readonly parked = new Set<Quarantine>();
  /** Accounts that have left a quarantine of which the database still has rows. */
  readonly released = new WeakSet<TrackedAccount>();
  #position: number;
  #changed: TrackedAccount[] = [];
  #removed: number[] = [];
  /** For work beside the fold: entries after this position are in memory only, until it ends. */
  readonly #needs = new Map<Hold | Quarantine, number>();
  #begun: SideWork[] = [];
  #waiters: { position: number; resolve: () => void; reject: (error: unknown) => void }[] = [];
  #over: Error | undefined;

  constructor(stored: number, minutes: ClosedMinutes) {
    this.stored = stored;
    this.minutes = minutes;
    this.#position = stored;
  }

  /** Records of all kinds to be stored. */
  get size(): number {
    return this.records + this.minutes.size;
  }

  /** The position up to which entries are folded. */
  get position(): number {
    return this.#position;
  }

  /** Whether a checkpoint has work to do. */
  get isEmpty(): boolean {
    return this.#changed.length === 0 && this.#position <= this.stored;
  }

  /** The position that a successor may start from, if everything marked so far gets stored. */
  get floor(): number {
    return Math.min(this.#position, ...this.#needs.values());
  }

  /** The next entry is being folded, in one go: half of it is never visible. */
  reach(position: number): void {
    this.#position = position;
    if (this.#waiters.length === 0) return;
    const reached = Map.groupBy(this.#waiters, (waiter) => waiter.position <= position);
    this.#waiters = reached.get(false) ?? [];
    for (const { resolve } of reached.get(true) ?? []) resolve();
  }

  /** Resolves when everything up to a position is folded; rejects if the partition ends before. */
  reached(position: number): Promise<void> {
    if (this.#position >= position) return Promise.resolve();
    if (this.#over) return Promise.reject(this.#over);
    return new Promise((resolve, reject) => this.#waiters.push({ position, resolve, reject }));
  }

  /** Rejects all waits, now and later. */
  end(reason: Error): void {
    this.#over = reason;
    for (const { reject } of this.#waiters.splice(0)) reject(reason);
  }

  /** Marks an account as changed, with the number of records that this adds or takes away. */
  mark(account: TrackedAccount, records: number): void {
    this.records += records;
    if (account.isDirty) return;
    account.isDirty = true;
    this.#changed.push(account);
  }

  /** Marks an account that has left its quarantine. */
  markReleased(account: TrackedAccount, quarantine: Quarantine): void {
    this.parked.delete(quarantine);
    this.released.add(account);
    this.mark(account, recordsIn(account.pending));
  }

  /** Marks an account as deleted, with its quarantine if it has one. */
  markRemoved(accountNumber: number, quarantine: Quarantine | undefined): void {
    if (quarantine) this.parked.delete(quarantine);
    this.#removed.push(accountNumber);
  }

  /** Begins work beside the fold; entries after a position are needed again until it ends. */
  begin(work: SideWork, neededAfter: number): void {
    this.#needs.set(work.kind === 'seed' ? work.hold : work.quarantine, neededAfter);
    this.#begun.push(work);
  }

  endWork(of: Hold | Quarantine): void {
    this.#needs.delete(of);
  }

  /** Takes the work begun since the last call. */
  takeBegun(): readonly SideWork[] {
    if (this.#begun.length === 0) return NOTHING;
    const begun = this.#begun;
    this.#begun = [];
    return begun;
  }

  /** Takes the changes; the caller must store them. */
  take(): Changes {
    const accounts = this.#changed;
    this.#changed = [];
    return { accounts, parked: [...this.parked], removed: this.#removed.splice(0) };
  }
}

const NOTHING: readonly SideWork[] = [];
