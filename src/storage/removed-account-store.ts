import type { Timekeeper } from '../domain/timekeeper.ts';
import type { FactKind } from '../words/holdings.ts';
import type { Database, Transaction } from './database.ts';
import { countFacts, giveBackHolding } from './holding-store.ts';
import { INCIDENT_ENTRY_BYTES } from './incident-store.ts';
import { fence } from './partition-store.ts';
import { forgetAccountStatements } from './seal-store.ts';
import { inSlices, places, someRows } from './sql-text.ts';

/** Notes that the removal of accounts is folded: from now on nothing of them is written. */
export async function noteFolded(
  database: Database,
  partition: number,
  epoch: number,
  numbers: readonly number[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await fence(tx, partition, epoch);
    await inSlices(numbers, async (slice) => {
      await tx.run(
        `update removed_account set is_folded = 1 where number in (${places(1, slice.length)})`,
        slice,
      );
    });
  });
}

/** Tables that have rows of an account, besides its own. */
const TABLES = [
  'incident_entry',
  'incident',
  'tracker_event',
  'breach_action',
  'tracker_action',
  'tracker',
  'enrolment',
  'period_statistics',
  'live_account',
  'parked_entry',
  'chart_day',
  'equity_bucket',
  'equity_minutes',
  'trade_chunk',
  'trade_part',
  'growth_day',
  'fold_stage',
  'account_history',
  'account_market',
  'pair_quote',
  'account_sync',
  'listed_deal',
  'statement_import',
  'deal',
] as const;

/** Tables of what users are counted to have. */
const FACTS: Partial<Record<(typeof TABLES)[number], FactKind>> = {
  equity_bucket: 'hour',
  equity_minutes: 'minutes',
  statement_import: 'import',
  deal: 'deal',
};

/** Accounts whose removal is folded and that may have rows left; at most `limit`. */
export async function listSweepable(database: Database, limit: number): Promise<number[]> {
  const rows = await database.all<{ number: number }>(
    'select number from removed_account where is_folded = 1 order by number limit $1',
    [limit],
  );
  return rows.map((row) => row.number);
}

/** About as long as one statement may take: others wait for it. */
const STATEMENT_MS = 10;
const FIRST_ROWS = 100;
const LEAST_ROWS = 20;
const MOST_ROWS = 2000;
/** Bounds of one change of the number of rows, however far off the time was. */
const MOST_GROWTH = 2;
const LEAST_GROWTH = 0.25;

/** Removes the rows of a deleted account, in steps of some milliseconds. */
export class AccountSweep {
  readonly #database: Database;
  readonly #time: Timekeeper;
  readonly #accountNumber: number;
  #rows = FIRST_ROWS;
  #table = 0;
  /** How many tables in a row were found empty. */
  #empty = 0;

  constructor(database: Database, time: Timekeeper, accountNumber: number) {
    this.#database = database;
    this.#time = time;
    this.#accountNumber = accountNumber;
  }

  /** How many tables in succession were empty. */
  async removeSome(): Promise<boolean> {
    while (this.#empty < TABLES.length) {
      const deleted = await this.#removeFrom(TABLES[this.#table % TABLES.length] ?? 'deal');
      if (deleted > 0) {
        this.#empty = 0;
        return true;
      }
      this.#empty += 1;
      this.#table += 1;
    }
    const forgotten = await this.#some((tx, rows) =>
      forgetAccountStatements(tx, this.#accountNumber, rows),
    );
    if (forgotten > 0) return true;
    await this.#database.run('delete from removed_account where number = $1', [
      this.#accountNumber,
    ]);
    return false;
  }

  #removeFrom(table: (typeof TABLES)[number]): Promise<number> {
    const some = someRows(this.#database.kind, table, 'account_number = $1 limit $2');
    const sql = `delete from ${table} where ${some}`;
    return this.#some(async (tx, rows) => {
      const of = [this.#accountNumber, rows];
      if (table === 'incident_entry') {
        const words = 'returning coalesce(length(words), 0) as length';
        return this.#giveBackNotes(tx, await tx.all<{ length: number }>(`${sql} ${words}`, of));
      }
      const removed = await tx.run(sql, of);
      const kind = FACTS[table];
      if (kind) await countFacts(tx, kind, [[this.#accountNumber, -removed]]);
      return removed;
    });
  }

  async #giveBackNotes(tx: Transaction, gone: readonly { length: number }[]): Promise<number> {
    const owner = await tx.get<{ user_id: string }>(
      'select user_id from removed_account where number = $1',
      [this.#accountNumber],
    );
    const bytes = gone.reduce((sum, { length }) => sum + INCIDENT_ENTRY_BYTES + length, 0);
    if (owner) await giveBackHolding(tx, owner.user_id, 'note', { items: gone.length, bytes });
    return gone.length;
  }

  /** Removes as many rows as should take STATEMENT_MS at most, and adapts their number. */
  async #some(remove: (tx: Transaction, rows: number) => Promise<number>): Promise<number> {
    // Timed without waiting for the turn or the disk, which do not depend on the rows.
    const { removed, ms } = await this.#database.transaction(async (tx) => {
      const beganMs = this.#time.elapsed();
      const removed = await remove(tx, this.#rows);
      return { removed, ms: this.#time.elapsed() - beganMs };
    });
    if (removed === this.#rows) {
      const growth = Math.min(Math.max(STATEMENT_MS / ms, LEAST_GROWTH), MOST_GROWTH);
      this.#rows = Math.min(Math.max(Math.round(this.#rows * growth), LEAST_ROWS), MOST_ROWS);
    }
    return removed;
  }
}
