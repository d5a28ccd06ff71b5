import { CommitBuilder } from '../../src/journal/commit-builder.ts';
import type { Account } from '../../src/storage/account-store.ts';
import type { LiveProcess } from './live-process.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2015, 2, 1);
const RECEIVED_MS = Date.UTC(2035, 0, 1);
const MONEY = 10_000_0000;

/** Appends commits of snapshots of an account, each snapshot in an hour of its own. */
export async function appendHours(
  { journal }: LiveProcess,
  { number }: Account,
  commits: number,
  rows: number,
): Promise<void> {
  for (let commit = 0; commit < commits; commit += 1) {
    const draft = new CommitBuilder(journal.partitions);
    const { builder, account } = draft.addAccount(number);
    for (let row = 0; row < rows; row += 1) {
      builder.addRow(account, START_MS + (commit * rows + row) * HOUR_MS, MONEY, MONEY + row);
    }
    await journal.append(draft.build(RECEIVED_MS));
  }
}
