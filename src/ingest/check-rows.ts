import { Faults } from '../contract/faults.ts';
import { MAX_AHEAD_MS } from '../domain/live/fold-deals.ts';
import { toUnits } from '../domain/money.ts';
import type { CheckedRows } from './checked-rows.ts';
import type { Found, IngestAccount } from './ingest-accounts.ts';
import { rowsInOrder } from './order-rows.ts';
import { dealsInOrder, readDeals } from './read-deals.ts';
import type { SnapshotBody } from './read-snapshots.ts';
import { Rejection, rejectFaults } from './rejection.ts';

/**
 * Checks rows against their accounts, in place, and puts them in the order of time. Throws
 * Rejection: `unknownAccount` with the rows of accounts that were not found or that the token does
 * not reach, otherwise `invalid` with all other faults.
 */
export function checkRows(
  body: SnapshotBody,
  found: Found,
  reach: ReadonlySet<number> | undefined,
  nowMs: number,
): CheckedRows {
  const accounts = reached(body, found, reach);
  const { rowCount, account, timeMs, balance, equity } = body;
  const faults = new Faults();
  const utcMs = new Float64Array(rowCount);
  /** The newest moment of each account so far decides between two equal wall times. */
  const newestUtcMs = Float64Array.from(accounts, ({ newest }) => newest.utcMs);
  const latestUtcMs = nowMs + MAX_AHEAD_MS;
  let isInOrder = true;
  for (let row = 0; row < rowCount; row += 1) {
    const place = account[row] ?? 0;
    const own = accounts[place];
    if (!own) continue;
    const last = newestUtcMs[place] ?? Number.NaN;
    const moment = own.clock.utcOf(timeMs[row] ?? 0, last);
    utcMs[row] = moment;
    if (moment < last) isInOrder = false;
    else newestUtcMs[place] = moment;
    if (moment > latestUtcMs) {
      const message = "must not be more than 24 hours ahead of the account's clock";
      faults.add(`[${row}].brokerTime`, message);
    }
    try {
      balance[row] = toUnits(balance[row] ?? 0, own.moneyDigits);
      equity[row] = toUnits(equity[row] ?? 0, own.moneyDigits);
    } catch {
      faults.add(`[${row}]`, 'is too large to be stored exactly');
    }
    if (faults.isFull) break;
  }
  const deals = body.deals.map(({ row, records }) => {
    const currency = accounts[account[row] ?? 0]?.currency ?? '';
    const read = readDeals(records, currency, { at: `[${row}].deals`, from: 0 }, faults);
    return { row, deals: dealsInOrder(read) };
  });
  rejectFaults(faults);
  const rows = { rowCount, timeMs, balance, equity, account, accounts, utcMs, deals };
  return isInOrder ? rows : rowsInOrder(rows);
}

function reached(
  body: SnapshotBody,
  found: Found,
  reach: ReadonlySet<number> | undefined,
): readonly IngestAccount[] {
  const isReached = (account: IngestAccount | undefined): account is IngestAccount =>
    account !== undefined && (!reach || reach.has(account.number));
  if (found.every(isReached)) return found;
  const faults = new Faults();
  for (let row = 0; row < body.rowCount && !faults.isFull; row += 1) {
    if (isReached(found[body.account[row] ?? 0])) continue;
    faults.add(`[${row}].accountId`, 'Account not found');
  }
  throw new Rejection('unknownAccount', 'Account not found; details name the rows', faults.list);
}
