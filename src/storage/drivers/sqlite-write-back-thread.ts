/**
 * The thread of WriteBack: writes the log back when it is told to, and says when it has done so.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { FileBusy, SqliteConnection } from './sqlite-connection.ts';

/** Those who write in between wait for this thread beside their process, never in it. */
const WRITERS_PATIENCE_MS = 1000;

const file = String(workerData);
const connection = new SqliteConnection(file);
const gate = new SqliteConnection(file);
gate.waitForWriters(WRITERS_PATIENCE_MS);

parentPort?.on('message', () => {
  // Nearly all of it keeps nobody waiting.
  connection.writeBack();
  try {
    // What was added meanwhile is little. With all of it written back the log can be begun anew.
    // Readers are not waited for: a backup may read for minutes.
    gate.exec('begin immediate');
    connection.writeBack();
    gate.exec('rollback');
    // Whoever writes next begins the log anew, and SQLite waits for the disk then: in this thread.
    gate.exec('begin immediate; pragma user_version = 0; commit');
  } catch (error) {
    if (gate.isInTransaction) gate.exec('rollback');
    if (!(error instanceof FileBusy)) throw error;
  }
  parentPort?.postMessage('done');
});
