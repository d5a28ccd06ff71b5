import type { LiveCell } from './live-cell.ts';

/**
 * An account as an entry names it: ids can be used again, so with the time of its creation. Whoever
 * brings snapshots keeps one for each account, so that what is known of it is not looked up, nor its
 * text made, for each entry anew.
 */
export class EntryAccount {
  readonly id: string;
  readonly createdAtMs: number;
  /** Where the state of a partition found it; for that state to make sure of. */
  cell: LiveCell | undefined = undefined;
  #json: string | undefined;

  constructor(id: string, createdAtMs: number) {
    this.id = id;
    this.createdAtMs = createdAtMs;
  }

  /** As it stands in the head of an entry. */
  get json(): string {
    this.#json ??= JSON.stringify([this.id, this.createdAtMs]);
    return this.#json;
  }
}
