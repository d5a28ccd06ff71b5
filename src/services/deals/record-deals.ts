import { Faults } from '../../contract/faults.ts';
import { parseBrokerTime } from '../../domain/broker-time.ts';
import { compareDeals, type Deal, isTradeDeal } from '../../domain/deal.ts';
import { moneyDigits, toUnits, toVolume } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import { insertDeals } from '../../storage/deal-store.ts';
import { historyLock, noteDealsChanged, readHistory } from '../../storage/history-store.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { VALID_TIME } from '../formats.ts';
import { appendDeals } from '../snapshots/append-to-journal.ts';

/** A deal as clients send it: amounts and lots as plain numbers, broker time as text. */
export type DealRecord = {
  id: string;
  positionId?: string | undefined;
  type: Deal['type'];
  entry?: Deal['entry'];
  symbol?: string | undefined;
  volume?: number | undefined;
  price?: number | undefined;
  profit: number;
  swap?: number | undefined;
  commission?: number | undefined;
  fee?: number | undefined;
  brokerTime: string;
  comment?: string | undefined;
  digits?: number | undefined;
  contractSize?: number | undefined;
};

export type Recorded = { accepted: number; duplicates: number };

/**
 * Stores deals of an account, durable when it returns. A deal whose id is known, or stands twice in
 * the batch, is a duplicate and changes nothing. One bad deal refuses all, with every fault named.
 */
export async function recordDeals(
  { database }: Context,
  account: Account,
  records: readonly DealRecord[],
): Promise<Recorded> {
  const deals = readDeals(records, account.currency);
  const stored = await database.transaction((tx) => storeDeals(tx, account.id, deals));
  return { accepted: stored.length, duplicates: records.length - stored.length };
}

/**
 * Stores those of the deals that are new, inside the caller's transaction, and returns them. They
 * reach the live state through the journal; do this last in the transaction, as appenders to the
 * journal wait for each other.
 */
export async function storeDeals(
  tx: Transaction,
  accountId: string,
  deals: readonly Deal[],
): Promise<Deal[]> {
  const stored = await insertNewDeals(tx, accountId, deals);
  await appendDeals(tx, accountId, stored);
  return stored;
}

/** The same for deals that travel with a snapshot: the journal gets them with it. */
export async function insertNewDeals(
  tx: Transaction,
  accountId: string,
  deals: readonly Deal[],
): Promise<Deal[]> {
  const kept = deals.toReversed().map(withoutNul);
  const distinct = [...new Map(kept.map((deal) => [deal.id, deal])).values()];
  if (distinct.length === 0) return [];
  await tx.lock(historyLock(accountId));
  const inserted = await insertDeals(tx, accountId, distinct.sort(compareDeals));
  const stored = distinct.filter((deal) => inserted.has(deal.id));
  const [first] = stored;
  if (!first) return [];
  const { last } = await readHistory(tx, accountId);
  await noteDealsChanged(tx, accountId, last !== undefined && compareDeals(first, last) <= 0);
  return stored;
}

/** PostgreSQL keeps no NUL in a text; damaged files and broken platforms may send one. */
function withoutNul(deal: Deal): Deal {
  const { id, positionId, symbol, comment } = deal;
  if (![id, positionId, symbol, comment].some((text) => text?.includes('\0'))) return deal;
  return {
    ...deal,
    id: id.replaceAll('\0', ''),
    positionId: positionId?.replaceAll('\0', ''),
    symbol: symbol?.replaceAll('\0', ''),
    comment: comment?.replaceAll('\0', ''),
  };
}

/** Turns records into deals; throws `validation` naming every fault with its index. */
export function readDeals(records: readonly DealRecord[], currency: string): Deal[] {
  const faults = new Faults();
  const digits = moneyDigits(currency);
  const deals: Deal[] = [];
  for (const [index, record] of records.entries()) {
    if (faults.isFull) break;
    deals.push(
      readDeal(record, digits, (field, message) => faults.add(`[${index}].${field}`, message)),
    );
  }
  if (!faults.isEmpty) throw invalid(faults.list);
  return deals;
}

type AddFault = (field: string, message: string) => void;

function readDeal(record: DealRecord, digits: number, addFault: AddFault): Deal {
  const timeMs = parseBrokerTime(record.brokerTime);
  if (timeMs === undefined) addFault('brokerTime', VALID_TIME);
  if (isTradeDeal(record)) {
    for (const field of ['symbol', 'volume', 'price'] as const) {
      if (record[field] === undefined) addFault(field, `is required for ${record.type}`);
    }
  }
  const units = (field: 'profit' | 'swap' | 'commission' | 'fee'): number => {
    try {
      return toUnits(record[field] ?? 0, digits);
    } catch {
      addFault(field, 'is beyond the amounts that can be held exactly');
      return 0;
    }
  };
  const { brokerTime: _, ...rest } = record;
  return {
    ...rest,
    volume: toVolume(record.volume ?? 0),
    profit: units('profit'),
    swap: units('swap'),
    commission: units('commission'),
    fee: units('fee'),
    timeMs: timeMs ?? 0,
  };
}
