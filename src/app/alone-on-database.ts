import { awaitAlone } from '../claims/await-alone.ts';
import { listProcesses, type ProcessRow, SCHEMA_LOCK } from '../storage/claim-store.ts';
import type { Database, Transaction, TransactionOptions } from '../storage/database.ts';
import { whereOf } from '../storage/drivers/migrate.ts';
import { linuxProcesses } from './linux-processes.ts';
import { systemTime } from './system-time.ts';

/** Somebody works on a database that a command needs alone. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse';
}

/**
 * Runs `work` in a transaction that nobody can join the database beside: servers that start wait
 * for its end. Throws DatabaseInUse where one works there; those that died are silent for seconds.
 */
export async function aloneOn<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  const refuse = (processes: readonly ProcessRow[]): never => {
    throw new DatabaseInUse(`${whereOf(processes)} on this database: stop all first`);
  };
  const waiting = { database, time: systemTime, localProcesses: linuxProcesses() };
  const isSilent = await awaitAlone({ ...waiting, waitFor: refuse }, () => true);
  return database.transaction(async (tx) => {
    await tx.lock(SCHEMA_LOCK);
    const living = (await listProcesses(tx)).filter((each) => !isSilent(each));
    if (living.length > 0) refuse(living);
    return work(tx);
  }, options);
}
