import { CommitBuilder, type Place } from '../journal/commit-builder.ts';
import { type Commit, entryDealOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { CheckedRows } from './checked-rows.ts';
import type { IngestAccount, Newest } from './ingest-accounts.ts';

/** The most snapshots in a commit, and the most if the journal has only one partition. */
const ROWS_PER_COMMIT = 4000;
const ROWS_PER_ENTRY = 2000;
/**
 * The most snapshots in a commit. A partition folds its part in one piece: 2000 that each close an
 * hour take some 15 ms.
 */
export const rowsPerCommit = ({ partitions }: Journal): number =>
  Math.min(ROWS_PER_COMMIT, partitions * ROWS_PER_ENTRY);

/** An account in a draft: the target of its rows, and the moment of the newest one. */
type DraftAccount = Place & { lastUtcMs: number; readonly newest: Newest };

/**
 * A commit in preparation. If the append fails, the draft is thrown away without a trace: the
 * accounts' newest moments change only in `settle`.
 */
export class CommitDraft {
  readonly #builder: CommitBuilder;
  readonly #drafts = new Map<number, DraftAccount>();

  constructor(partitions: number) {
    this.#builder = new CommitBuilder(partitions);
  }

  /**
   * Adds the rows in [from, to) with those of their deals that are new (ids by account number).
   * Returns how many rows came after a newer one of their account.
   */
  add(
    rows: CheckedRows,
    from: number,
    to: number,
    newDeals: ReadonlyMap<number, Set<string>>,
  ): number {
    const drafts = new Array<DraftAccount | undefined>(rows.accounts.length);
    const { account, timeMs, balance, equity, utcMs, isBehind, deals } = rows;
    let next = deals.findIndex(({ row }) => row >= from);
    let late = 0;
    for (let row = from; row < to; row += 1) {
      const place = account[row] ?? 0;
      const known = rows.accounts[place];
      if (!known) continue;
      const draft = drafts[place] ?? this.#draftOf(known);
      drafts[place] = draft;
      const moment = utcMs[row] ?? 0;
      const isLate = moment < draft.lastUtcMs;
      if (!isLate) draft.lastUtcMs = moment;
      if (isLate || isBehind?.[row]) late += 1;
      const { builder, account: own } = draft;
      const at = builder.addRow(own, timeMs[row] ?? 0, balance[row] ?? 0, equity[row] ?? 0);
      const brought = next < 0 ? undefined : deals[next];
      if (brought?.row !== row) continue;
      next += 1;
      const unused = newDeals.get(known.number);
      for (const deal of brought.deals) {
        // A deal that is in two rows belongs to the first.
        if (!unused?.delete(deal.id)) continue;
        draft.builder.addDeal(entryDealOf(draft.account, deal, at));
      }
    }
    return late;
  }

  build(receivedUtcMs: number): Commit {
    return this.#builder.build(receivedUtcMs);
  }

  /** Call it when the commit is durable: updates the accounts' newest moments. */
  settle(): void {
    for (const { newest, lastUtcMs } of this.#drafts.values()) {
      if (!(newest.utcMs >= lastUtcMs)) newest.utcMs = lastUtcMs;
    }
  }

  #draftOf({ number, newest }: IngestAccount): DraftAccount {
    const known = this.#drafts.get(number);
    if (known) return known;
    const draft = { ...this.#builder.addAccount(number), newest, lastUtcMs: newest.utcMs };
    this.#drafts.set(number, draft);
    return draft;
  }
}
