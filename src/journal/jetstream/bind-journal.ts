import type { Database } from '../../storage/database.ts';
import { bindStream, readJournalPlace } from '../../storage/journal-outbox-store.ts';
import type { PartitionRow } from '../../storage/partition-store.ts';
import { WrongJournal } from '../journal.ts';

/**
 * Ensures that the database and the stream belong together; the first start records that. Positions
 * of one log are meaningless in another: partitions would wait forever for commits, or skip some.
 * Throws WrongJournal.
 */
export async function bindJournal(database: Database, identity: string): Promise<void> {
  if (await bindStream(database, identity)) return;
  const { stream } = await readJournalPlace(database);
  throw new WrongJournal(
    stream === undefined
      ? 'The journal of this database is in the database itself: stop all processes and run ' +
          '"plimsoll journal move", or start without NATS_URL'
      : `The journal of this database is a stream that was made at ${stream}, and NATS_URL leads ` +
          `to one made at ${identity}: correct NATS_URL or DATABASE_URL`,
  );
}

/** Whether a stream holds the journal of this database. */
export async function isBound(database: Database): Promise<boolean> {
  return (await readJournalPlace(database)).stream !== undefined;
}

/** Throws WrongJournal if the stream lacks commits that have been folded. */
export function checkHead(head: number, partitions: readonly PartitionRow[]): void {
  const stored = Math.max(...partitions.map(({ position }) => position));
  if (head > stored) return;
  throw new WrongJournal(
    `The stream ends at ${head}, but the database has stored results of commits up ` +
      `to ${stored}: it has lost its end; see docs/scaling.md`,
  );
}
