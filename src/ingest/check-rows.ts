import { Faults } from '../contract/faults.ts';
import type { Deal } from '../domain/deal.ts';
import { MAX_AHEAD_MS } from '../domain/live/fold-deals.ts';
import { toUnits } from '../domain/money.ts';
import type { Found, IngestAccount } from './ingest-accounts.ts';
import { dealsInOrder, readDeals } from './read-deals.ts';
import { Rejection, rejectFaults } from './rejection.ts';
import type { SnapshotColumns } from './snapshot-columns.ts';

/** Rows that were checked against their accounts: money in units of each account's currency. */
export type CheckedRows = {
  accounts: readonly IngestAccount[];
  account: Uint32Array;
  timeMs: Float64Array;
  balance: Float64Array;
  equity: Float64Array;
  deals: readonly { row: number; deals: readonly Deal[] }[];
};

/**
 * Checks rows against their accounts. Throws Rejection: `unknownAccount` with the rows of accounts
 * that were not found or that the token does not reach, otherwise `invalid` with all other faults.
 */
export function checkRows(
  columns: SnapshotColumns,
  found: Found,
  reach: ReadonlySet<string> | undefined,
  nowMs: number,
): CheckedRows {
  const accounts = reached(columns, found, reach);
  const { account, timeMs } = columns;
  const faults = new Faults();
  const rows = account.length;
  const balance = new Float64Array(rows);
  const equity = new Float64Array(rows);
  const latestUtcMs = nowMs + MAX_AHEAD_MS;
  for (let row = 0; row < rows; row += 1) {
    const own = accounts[account[row] ?? 0];
    if (!own) continue;
    if (own.clock.utcOf(timeMs[row] ?? 0, own.newest.utcMs) > latestUtcMs) {
      const message = "must not be more than 24 hours ahead of the account's clock";
      faults.add(`[${row}].brokerTime`, message);
    }
    try {
      balance[row] = toUnits(columns.balance[row] ?? 0, own.moneyDigits);
      equity[row] = toUnits(columns.equity[row] ?? 0, own.moneyDigits);
    } catch {
      faults.add(`[${row}]`, 'is too large to be stored exactly');
    }
    if (faults.isFull) break;
  }
  const deals = columns.deals.map(({ row, records }) => {
    const currency = accounts[account[row] ?? 0]?.currency ?? '';
    const read = readDeals(records, currency, { at: `[${row}].deals`, from: 0 }, faults);
    return { row, deals: dealsInOrder(read) };
  });
  rejectFaults(faults);
  return { accounts, account, timeMs, balance, equity, deals };
}

function reached(
  columns: SnapshotColumns,
  found: Found,
  reach: ReadonlySet<string> | undefined,
): readonly IngestAccount[] {
  const isReached = (account: IngestAccount | undefined): account is IngestAccount =>
    account !== undefined && (!reach || reach.has(account.id));
  if (found.every(isReached)) return found;
  const faults = new Faults();
  for (let row = 0; row < columns.account.length && !faults.isFull; row += 1) {
    if (isReached(found[columns.account[row] ?? 0])) continue;
    faults.add(`[${row}].accountId`, 'Account not found');
  }
  throw new Rejection('unknownAccount', 'Account not found; details name the rows', faults.list);
}
