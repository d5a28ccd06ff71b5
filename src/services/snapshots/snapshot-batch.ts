import { compareDeals, type Deal } from '../../domain/deal.ts';
import { MAX_AHEAD_MS } from '../../domain/live/fold-deals.ts';
import { toUnits } from '../../domain/money.ts';
import { type DealRecord, readDeals } from '../deals/record-deals.ts';
import { type Fault, ServiceError } from '../errors.ts';
import type { AccountDirectory, DirectoryAccount } from './account-directory.ts';

/** Faults that one answer names; a batch with more is cut off here. */
export const MAX_FAULTS = 1000;

export type UnknownAccount = { readonly id: string; readonly version?: undefined };

/** Rows as they came, columns instead of objects; money still as plain numbers. */
export type SnapshotColumns<Account = DirectoryAccount> = {
  /** Distinct, in the order of their first rows; those that were not known only by their ids. */
  accounts: readonly (Account | UnknownAccount)[];
  /** Of each row, the place of its account in `accounts`. */
  account: Uint32Array;
  timeMs: Float64Array;
  balance: Float64Array;
  equity: Float64Array;
  deals: readonly { row: number; records: readonly DealRecord[] }[];
};

/** A batch whose accounts are known: money in units of each account's currency. */
export type SnapshotBatch = {
  columns: SnapshotColumns;
  accounts: readonly DirectoryAccount[];
  balance: Float64Array;
  equity: Float64Array;
  deals: readonly { row: number; deals: readonly Deal[] }[];
};

export type Reach = { userId: string; accountIds: ReadonlySet<string> | undefined };

/**
 * Fits rows to their accounts. Throws `notFound` naming the rows of accounts that are not the
 * user's or not the token's to reach, else `validation` naming every other fault.
 */
export function resolveBatch(
  columns: SnapshotColumns,
  directory: AccountDirectory,
  reach: Reach,
  nowMs: number,
): SnapshotBatch {
  const accounts = findAccounts(columns, directory, reach);
  const faults: Fault[] = [];
  const rows = columns.account.length;
  const balance = new Float64Array(rows);
  const equity = new Float64Array(rows);
  const latestUtcMs = nowMs + MAX_AHEAD_MS;
  for (let row = 0; row < rows; row += 1) {
    const account = accounts[columns.account[row] ?? 0];
    if (!account) continue;
    if (account.clock.utcOf(columns.timeMs[row] ?? 0, account.lastUtcMs) > latestUtcMs) {
      const message = "must not be more than 24 hours ahead of the account's clock";
      faults.push({ parameter: `[${row}].brokerTime`, message });
    }
    try {
      balance[row] = toUnits(columns.balance[row] ?? 0, account.moneyDigits);
      equity[row] = toUnits(columns.equity[row] ?? 0, account.moneyDigits);
    } catch {
      faults.push({ parameter: `[${row}]`, message: 'is beyond the amounts that can be held' });
    }
  }
  const deals = columns.deals.map(({ row, records }) => {
    const currency = accounts[columns.account[row] ?? 0]?.currency ?? '';
    return { row, deals: readRowDeals(row, records, currency, faults) };
  });
  throwFaults(faults);
  return { columns, accounts, balance, equity, deals };
}

function findAccounts(
  columns: SnapshotColumns,
  directory: AccountDirectory,
  reach: Reach,
): DirectoryAccount[] {
  const found = columns.accounts.map((account) => reachedAccount(account, directory, reach));
  if (found.every((account) => account !== undefined)) return found;
  const details: Fault[] = [];
  columns.account.forEach((place, row) => {
    if (found[place] || details.length >= MAX_FAULTS) return;
    details.push({ parameter: `[${row}].accountId`, message: 'Account not found' });
  });
  throw new ServiceError('notFound', 'Account not found; details name every row', { details });
}

function reachedAccount(
  named: DirectoryAccount | UnknownAccount,
  directory: AccountDirectory,
  { userId, accountIds }: Reach,
): DirectoryAccount | undefined {
  const account = directory.findAgain(named);
  const isReached = account?.userId === userId && (!accountIds || accountIds.has(account.id));
  return isReached ? account : undefined;
}

function readRowDeals(
  row: number,
  records: readonly DealRecord[],
  currency: string,
  faults: Fault[],
): Deal[] {
  try {
    // As those of a request of their own: in the order of their times, however they are listed.
    return readDeals(records, currency).toSorted(compareDeals);
  } catch (error) {
    if (!(error instanceof ServiceError) || !Array.isArray(error.details)) throw error;
    for (const { parameter, message } of error.details as Fault[]) {
      faults.push({ parameter: `[${row}].deals${parameter}`, message });
    }
    return [];
  }
}

export function throwFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw new ServiceError('validation', 'The request is not valid; details name every fault', {
    details: faults.slice(0, MAX_FAULTS),
  });
}

let batches = 0;

/**
 * How many rows are older than what this process knows of their accounts, the rows before them
 * included. With `remember` the accounts move on.
 */
export function countLate({ columns, accounts }: SnapshotBatch, remember: boolean): number {
  batches += 1;
  const batch = batches;
  let late = 0;
  for (let row = 0; row < columns.account.length; row += 1) {
    const account = accounts[columns.account[row] ?? 0];
    if (!account) continue;
    const last = account.pendingBatch === batch ? account.pendingUtcMs : account.lastUtcMs;
    const utcMs = account.clock.utcOf(columns.timeMs[row] ?? 0, last);
    const isLate = utcMs < last;
    if (isLate) late += 1;
    account.pendingUtcMs = isLate ? last : utcMs;
    account.pendingBatch = batch;
  }
  if (remember) for (const account of accounts) account.lastUtcMs = account.pendingUtcMs;
  return late;
}
