import type { ImportRecord } from '../../contract/operations/statements.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { TradeComputer } from '../../histories/trade-computer.ts';
import { NoPlaceLeft } from '../../statements/thread/places.ts';
import { NotInTime, type ReadLimits } from '../../statements/thread/read-limits.ts';
import {
  readStatementInThread,
  type StatementReading,
} from '../../statements/thread/reading-threads.ts';
import { UnreadableStatement } from '../../statements/unreadable-statement.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { ServiceError, unavailable } from '../errors.ts';
import { ImportStorer } from './import-storer.ts';
import { presentImport } from './present-import.ts';
import { previewStatement } from './preview-statement.ts';
import type { OwnerOptions } from './settle-owner.ts';
import { mappingsOf } from './table-mappings.ts';

export type ImportOptions = OwnerOptions & {
  /** For a table with rows of several accounts: those of this login. */
  login?: string | undefined;
  /** What people call the file. */
  fileName?: string | undefined;
  onProgress?: (doneShare: number) => void;
  /** If they differ from those of a request. */
  limits?: Partial<ReadLimits> | undefined;
};

/** By then, a busy machine may be less busy. */
const BUSY_RETRY_AFTER_SECONDS = 60;

/**
 * Reads a report file and stores its deals, all or none, durably when it returns; repeating a file
 * adds the deals missing by then. A report with only a part of the history also gives its initial
 * balance. Empties `file`. Throws `validation` for a file that cannot be read, `conflict` for one
 * of another account, `unavailable` while too many are being read or if it took too long.
 */
export async function importStatement(
  context: Context & { trades: TradeComputer },
  by: Actor,
  account: Account,
  file: Uint8Array,
  { login, fileName, onProgress, limits, ...owner }: ImportOptions,
): Promise<ImportRecord> {
  const options = { login, limits, fileName };
  await using reading = await readFile(context, file, account, options, (share) =>
    onProgress?.(share / 2),
  );
  // Awaited here, because the reading ends with this function.
  return await storeReading(context, by, account, reading, {
    ...owner,
    onProgress: (share) => onProgress?.(0.5 + share / 2),
  });
}

/** The answer of an import, without storing anything: see `previewStatement`. */
export async function tryStatement(
  context: Context,
  account: Account,
  file: Uint8Array,
  { login, limits, fileName, ...owner }: ImportOptions,
): Promise<ImportRecord> {
  await using reading = await readFile(context, file, account, { login, limits, fileName });
  return await previewStatement(context, account, reading, owner);
}

/** Stores a report after reading: see `importStatement`. */
export async function storeReading(
  context: Context & { trades: TradeComputer },
  by: Actor,
  account: Account,
  { head, pages }: Pick<StatementReading, 'head' | 'pages'>,
  { onProgress, ...owner }: Pick<ImportOptions, 'force' | 'adopt' | 'onProgress'>,
): Promise<ImportRecord> {
  const storer = await ImportStorer.begin(context, by, account, head, owner);
  try {
    let done = 0;
    for await (const deals of pages()) {
      await storer.store(deals);
      done += deals.length;
      onProgress?.(done / head.summary.deals);
    }
    const stored = await storer.finish(by);
    // The next request finds the trades, or a running computation.
    await context.trades.current(storer.account);
    return presentImport(stored);
  } catch (error) {
    await storer.abandon();
    throw error instanceof NotInTime ? tooBusy(error) : error;
  }
}

/** The file's account; without a clock, times that name their zone stay as written. */
type Reader = Pick<Account, 'userId' | 'currency'> & Partial<Pick<Account, 'brokerClock'>>;

/** Reads a file; throws like `importStatement`. */
export async function readFile(
  { database }: Context,
  file: Uint8Array,
  { userId, currency, brokerClock: clock }: Reader,
  { login, limits, fileName }: Pick<ImportOptions, 'login' | 'limits' | 'fileName'>,
  onProgress: (doneShare: number) => void = () => {},
): Promise<StatementReading> {
  try {
    const mappings = await mappingsOf(database, userId);
    const options = { moneyDigits: moneyDigits(currency), currency, clock, login, mappings };
    const reading = await readStatementInThread(file, { ...options, limits, onProgress });
    reading.head.fileName = fileName;
    return reading;
  } catch (error) {
    if (error instanceof NoPlaceLeft) throw unavailable('Other statements are being read', 5);
    if (error instanceof NotInTime) throw tooBusy(error);
    if (!(error instanceof UnreadableStatement)) throw error;
    const { expected, where, message, table } = error;
    throw new ServiceError('validation', `The file cannot be read. ${message}`, {
      cause: error,
      details: [{ parameter: 'body', message, expected, where, ...(table ? { table } : {}) }],
    });
  }
}

function tooBusy({ message }: NotInTime): ServiceError {
  const advice =
    'the server is busy. Send the file again later, or export a shorter period at a time and import ' +
    'the parts one after the other';
  return unavailable(`${message}, as ${advice}`, BUSY_RETRY_AFTER_SECONDS);
}
