import type { JournalAccount } from '../storage/journal-account-store.ts';
import type { LiveCell } from './live-cell.ts';

/**
 * An account as an entry names it: ids can be used again, so with the time of its creation. Whoever
 * brings snapshots keeps one for each account, so that what is known of it is not looked up for each
 * entry anew.
 */
export class EntryAccount {
  /** What the stored entry has instead of the id. */
  readonly number: number;
  readonly id: string;
  readonly createdAtMs: number;
  /** Where the state of a partition found it; for that state to make sure of. */
  cell: LiveCell | undefined = undefined;

  constructor({ number, id, createdAtMs }: JournalAccount) {
    this.number = number;
    this.id = id;
    this.createdAtMs = createdAtMs;
  }
}
