import { compareDeals, type Deal } from '../domain/deal.ts';
import type { Transaction } from '../storage/database.ts';
import { insertDeals } from '../storage/deal-store.ts';
import { historyLock, noteDealsChanged, readHistory } from '../storage/history-store.ts';

/**
 * Stores those of an account's deals that are new, inside the caller's transaction, and returns
 * them, in order. The caller holds the account. A deal that stands there twice is taken once: the
 * first.
 * @param importNumber the import that brings them
 */
export async function insertNewDeals(
  tx: Transaction,
  accountNumber: number,
  deals: readonly Deal[],
  importNumber?: number,
): Promise<Deal[]> {
  const kept = deals.toReversed().map(withoutNul);
  const distinct = [...new Map(kept.map((deal) => [deal.id, deal])).values()];
  if (distinct.length === 0) return [];
  await tx.lock(historyLock(accountNumber));
  const inserted = await insertDeals(tx, accountNumber, distinct.sort(compareDeals), importNumber);
  const stored = distinct.filter((deal) => inserted.has(deal.id));
  const [first] = stored;
  if (!first) return [];
  const { last } = await readHistory(tx, accountNumber);
  const isLate = last !== undefined && compareDeals(first, last) <= 0;
  await noteDealsChanged(tx, accountNumber, isLate);
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
