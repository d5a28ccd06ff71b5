import { compareDeals, type Deal } from '../domain/deal.ts';
import type { Transaction } from '../storage/database.ts';
import { insertDeals } from '../storage/deal-store.ts';
import { historyLock, noteDealsChanged, readHistory } from '../storage/history-store.ts';

/**
 * Stores those of an account's deals that are new, inside the caller's transaction, and returns
 * them in order. The caller must hold the account. Of deals with the same id the first is taken.
 * @param importNumber the import that brings them, if any
 */
export async function insertNewDeals(
  tx: Transaction,
  accountNumber: number,
  deals: readonly Deal[],
  importNumber?: number,
): Promise<Deal[]> {
  const kept = deals.toReversed().map(withStorableTexts);
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

/** PostgreSQL cannot store NUL in a text, and no database a lone surrogate. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Damaged files and broken platforms may send texts that no database can store unchanged. */
function withStorableTexts(deal: Deal): Deal {
  const { id, positionId, symbol, comment } = deal;
  if ([id, positionId, symbol, comment].every((text) => text === undefined || isStorable(text)))
    return deal;
  return {
    ...deal,
    id: storable(id),
    positionId: positionId && storable(positionId),
    symbol: symbol && storable(symbol),
    comment: comment && storable(comment),
  };
}
