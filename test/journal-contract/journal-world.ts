import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { systemTime } from '../../src/app/system-time.ts';
import { CommitBuilder } from '../../src/journal/commit-builder.ts';
import type { StoredCommit } from '../../src/journal/commit-codec.ts';
import type { Commit } from '../../src/journal/entry.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { SqlJournal } from '../../src/journal/sql-journal.ts';
import type { Database } from '../../src/storage/database.ts';
import { stageJournal } from '../../src/storage/journal-store.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { connectTo, gate, hold } from '../storage-contract/fixture.ts';

/** A separate log, and acts of a test on it that no process would do. */
export type JournalWorld = {
  /** Where transactions run that stage commits. */
  database: Database;
  /** The log as another process has it, with its connections. */
  connect(): Promise<{ journal: Journal; database: Database }>;
  /** Appends bytes unchanged, as a damaged disk or another version leaves them. */
  inject(body: Uint8Array): Promise<void>;
  /**
   * Runs `work` while another process assigns positions and does not finish; absent if processes do
   * not assign positions.
   */
  whilePositionsAreGiven?: (work: () => Promise<void>) => Promise<void>;
  close(): Promise<void>;
};

export async function openSqlWorld(kind: Database['kind']): Promise<JournalWorld> {
  const opened = await openTestDatabase(kind);
  const { database, environment } = opened;
  const others: Database[] = [];
  return {
    database,
    async connect() {
      // SQLite is one process' own.
      const own = kind === 'sqlite' ? database : connectTo(environment);
      if (own !== database) others.push(own);
      return { journal: await SqlJournal.open(own, systemTime, randomUUID()), database: own };
    },
    async inject(body) {
      await database.transaction((tx) => stageJournal(tx, 1, body));
    },
    async whilePositionsAreGiven(work) {
      const holding = gate();
      const done = gate();
      const giving = database.transaction(async (tx) => {
        await tx.lock('plimsoll:journal');
        holding.open();
        await hold(tx, done.opened);
      });
      await holding.opened;
      try {
        await work();
      } finally {
        done.open();
        await giving;
      }
    },
    async close() {
      for (const other of others) await other.close();
      await opened.close();
    },
  };
}

/** A commit that can be told from others by its number: a snapshot of each of the accounts. */
export function commitOf(number: number, partitions: number, accounts = [1]): Commit {
  const builder = new CommitBuilder(partitions);
  for (const account of accounts) {
    const place = builder.addAccount(account);
    place.builder.addRow(place.account, number, number * 10, number * 10 + account);
  }
  return builder.build(number);
}

/** The number of a commit of `commitOf`, by whatever entry it has. */
export function numberOf(commit: StoredCommit, partitions: number): number | undefined {
  for (let partition = 0; partition < partitions; partition += 1) {
    const entry = commit.entryOf(partition);
    if (entry) return entry.timeMs[0];
  }
  return undefined;
}

/** Everything after a position, read page by page up to the end; positions have no gap. */
export async function readAll(journal: Journal, after = 0): Promise<StoredCommit[]> {
  // Durable commits may get their position a moment later.
  await journal.settle();
  const all: StoredCommit[] = [];
  for (;;) {
    const page = await journal.read(all.at(-1)?.position ?? after);
    if (page.length === 0) return all;
    for (const commit of page) {
      const last = all.at(-1)?.position;
      if (last !== undefined) assert.equal(commit.position, last + 1);
      all.push(commit);
    }
  }
}

/** Everything after a position without the log's own commits, which have no entries. */
export async function readFilled(journal: Journal, after = 0): Promise<StoredCommit[]> {
  const all = await readAll(journal, after);
  return all.filter((commit) => hasEntries(commit, journal.partitions));
}

/** One that cannot be read has some. */
function hasEntries(commit: StoredCommit, partitions: number): boolean {
  for (let partition = 0; partition < partitions; partition += 1) {
    try {
      if (commit.entryOf(partition)) return true;
    } catch {
      return true;
    }
  }
  return false;
}
