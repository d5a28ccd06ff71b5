import { sleep } from '../../domain/timekeeper.ts';
import { listProcesses } from '../../storage/claim-store.ts';
import { moveToStreamAt, readJournalPlace } from '../../storage/journal-outbox-store.ts';
import { readJournal } from '../../storage/journal-store.ts';
import { readPartitions } from '../../storage/partition-store.ts';
import { WrongJournal } from '../journal.ts';
import { SqlJournal } from '../sql-journal.ts';
import type { JetStreamParts } from './jetstream-journal.ts';
import { Publisher } from './publisher.ts';

const ROWS_PER_READ = 100;
/** Longer than the interval between heartbeats of a living process. */
const LISTEN_MS = 3000;

/**
 * Moves the journal from the database's tables to an empty stream. Every commit keeps its position:
 * the stream begins where all partitions have been stored, and later commits are copied. After a
 * failure it can be run again from the start, as long as nothing else has written to the stream.
 * Returns how many commits were copied. Throws WrongJournal if processes still run, or if the
 * stream is not empty or holds the journal already.
 */
export async function moveToStream(parts: JetStreamParts): Promise<number> {
  const { database, stream, time, origin } = parts;
  const { stream: known } = await readJournalPlace(database);
  if (known !== undefined) throw new WrongJournal('The journal is in a stream already');
  await checkNobodyRuns(parts);
  const journal = await SqlJournal.open(database, time, origin);
  const head = await journal.head();
  const partitions = await readPartitions(database);
  const stored = Math.min(...partitions.map(({ position }) => position));
  const { first, last } = await stream.state();
  if (last >= first) {
    throw new WrongJournal('The stream has messages already: delete it, and run this again');
  }
  // There is nothing to drop: purging makes the stream continue after that number.
  if (stored > last) await stream.purge(stored);
  const publisher = new Publisher({ stream, time, origin, mark: async () => {} });
  for (let position = stored; position < head; ) {
    const rows = await readJournal(database, position, ROWS_PER_READ);
    for (const row of rows) {
      const sequence = await publisher.append(row.body);
      if (sequence !== row.position) {
        const reason = `commit ${row.position} got the number ${sequence} in the stream`;
        throw new WrongJournal(
          `${reason}: something else writes to it. Delete it, and run this again`,
        );
      }
      position = row.position;
    }
    if (rows.length === 0) throw new Error(`Commit ${position + 1} of the journal is missing`);
  }
  if (!(await moveToStreamAt(database, stream.identity, head))) {
    throw new WrongJournal('A process still writes to the journal: stop all processes first');
  }
  return head - stored;
}

/** Throws WrongJournal if a heartbeat moves: its process is still running. */
async function checkNobodyRuns({ database, time }: JetStreamParts): Promise<void> {
  const before = new Map((await listProcesses(database)).map(({ id, beat }) => [id, beat]));
  if (before.size === 0) return;
  await sleep(time, LISTEN_MS);
  const alive = (await listProcesses(database)).filter(({ id, beat }) => beat !== before.get(id));
  if (alive.length === 0) return;
  const who = alive.length === 1 ? 'A process still runs' : `${alive.length} processes still run`;
  throw new WrongJournal(`${who}: stop all of them first`);
}
