/** The thread of WriteBack: writes the log back on request, and reports when it is done. */
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
  // Nearly all of it is written back without blocking anyone.
  connection.writeBack();
  try {
    // Little was added meanwhile. Once all of it is written back, the log can be restarted. This
    // does not wait for readers: a backup may read for minutes.
    gate.exec('begin immediate');
    connection.writeBack();
    gate.exec('rollback');
    // The next writer restarts the log, and SQLite then waits for the disk: do that here.
    gate.exec('begin immediate; pragma user_version = 0; commit');
  } catch (error) {
    if (gate.isInTransaction) gate.exec('rollback');
    if (!(error instanceof FileBusy)) throw error;
  }
});
