/** The thread of WriteBack: writes the log back when it is told to, and reports when it is done. */
import { workerData } from 'node:worker_threads';
import { answerAsks } from '../../threads/thread.ts';
import { FileBusy, SqliteConnection } from './sqlite-connection.ts';

/** How long this thread waits for writers; they wait for it without blocking their process. */
const WRITERS_PATIENCE_MS = 1000;

const file = String(workerData);
const connection = new SqliteConnection(file);
const gate = new SqliteConnection(file);
gate.waitForWriters(WRITERS_PATIENCE_MS);

answerAsks<'write back', void>(() => {
  // Nearly all of it is written back without keeping anybody waiting.
  connection.writeBack();
  try {
    // Little was added meanwhile. Once all of it is written back, the log can be begun anew.
    // This does not wait for readers: a backup may read for minutes.
    gate.exec('begin immediate');
    connection.writeBack();
    gate.exec('rollback');
    // The next writer begins the log anew, and SQLite then waits for the disk: let it be here.
    gate.exec('begin immediate; pragma user_version = 0; commit');
  } catch (error) {
    if (gate.isInTransaction) gate.exec('rollback');
    if (!(error instanceof FileBusy)) throw error;
  }
});
