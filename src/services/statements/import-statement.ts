import type { ImportRecord } from '../../contract/operations/statements.ts';
import { moneyDigits } from '../../domain/money.ts';
import { UnreadableStatement } from '../../statements/unreadable-statement.ts';
import { NoPlaceLeft } from '../../statements/worker/places.ts';
import {
  readStatementInWorker,
  type StatementReading,
} from '../../statements/worker/read-in-worker.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { ServiceError, unavailable } from '../errors.ts';
import type { TradeComputer } from '../trades/trade-computer.ts';
import { knownOwner, refuseForeign } from './check-owner.ts';
import { ImportStorer } from './import-storer.ts';
import { presentImport } from './present-import.ts';

export type ImportOptions = {
  /** Imports the report of another account, too. */
  force: boolean;
  onProgress?: (doneShare: number) => void;
};

/**
 * Reads a report file and stores its deals, all or none, durable when it returns; the same file
 * again adds what is not there any more. A report that lists only a part of the history tells the
 * balance that it begins with, too. Empties `file`. Throws `validation` for a file that can't be
 * read, `conflict` for one of another account, `unavailable` while too many are being read.
 */
export async function importStatement(
  context: Context & { trades: TradeComputer },
  by: Actor,
  account: Account,
  file: Uint8Array,
  { force, onProgress }: ImportOptions,
): Promise<ImportRecord> {
  await using reading = await read(file, account, (share) => onProgress?.(share / 2));
  const { head } = reading;
  if (!force) refuseForeign(head.stated, await knownOwner(context.database, account));
  const storer = await ImportStorer.begin(context, account, head);
  try {
    let done = 0;
    for await (const deals of reading.pages()) {
      await storer.store(deals);
      done += deals.length;
      onProgress?.(0.5 + done / head.summary.deals / 2);
    }
    const stored = await storer.finish(by);
    // Whoever looks next finds the trades, or a computation on its way.
    await context.trades.current(account);
    return presentImport(stored);
  } catch (error) {
    await storer.abandon();
    throw error;
  }
}

async function read(
  file: Uint8Array,
  account: Account,
  onProgress: (doneShare: number) => void,
): Promise<StatementReading> {
  try {
    const options = { moneyDigits: moneyDigits(account.currency), clock: account.brokerClock };
    return await readStatementInWorker(file, { ...options, onProgress });
  } catch (error) {
    if (error instanceof NoPlaceLeft) throw unavailable('Other statements are being read', 5);
    if (!(error instanceof UnreadableStatement)) throw error;
    const { expected, where, message } = error;
    throw new ServiceError('validation', `The file cannot be read. ${message}`, {
      cause: error,
      details: [{ parameter: 'body', message, expected, where }],
    });
  }
}
