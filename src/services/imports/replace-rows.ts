import type { Deal } from '../../domain/deal.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  deleteDealRow,
  findDeals,
  listPositionDeals,
  type StoredDeal,
} from '../../storage/deal-store.ts';
import { noteDealsChanged } from '../../storage/history-store.ts';
import { listWitnesses, noteListed } from '../../storage/import-store.ts';

/** Ids that readers make from a row: they stand for a position without listed deals. */
const MADE = /-(?:in|out)$/;
export const isMade = ({ id }: Pick<Deal, 'id'>): boolean => MADE.test(id);

/** A position in a file of deals, and what others had stored of it: the two made from a row. */
export type Replaced = readonly [positionId: string, record: readonly StoredDeal[]];

/**
 * Removes the rows of positions that a file has deals of. The rows' sources, and the witnesses that
 * they had, are witnesses of the deals. This comes once all of a file is stored: before, the
 * sweeper takes the deals of a killed import back, and the rows are as they were.
 */
export async function replaceRows(
  tx: Transaction,
  accountNumber: number,
  positions: readonly Replaced[],
): Promise<void> {
  const positionIds = positions.map(([positionId]) => positionId);
  const stored = await listPositionDeals(tx, accountNumber, positionIds);
  const dealsOf = Map.groupBy(
    stored.filter((deal) => !isMade(deal)),
    ({ positionId }) => positionId,
  );
  const madeIds = positions.flatMap(([, record]) => record.filter(isMade).map(({ id }) => id));
  const rows = new Map((await findDeals(tx, accountNumber, madeIds)).map((row) => [row.id, row]));
  for (const [positionId, record] of positions) {
    const deals = dealsOf.get(positionId) ?? [];
    const made = record.flatMap(({ id }) => rows.get(id) ?? []);
    // Somebody may have deleted either meanwhile.
    if (deals.length === 0 || made.length === 0) continue;
    await replace(tx, accountNumber, made, deals);
  }
  await noteDealsChanged(tx, accountNumber, true);
}

async function replace(
  tx: Transaction,
  accountNumber: number,
  rows: readonly StoredDeal[],
  deals: readonly StoredDeal[],
): Promise<void> {
  const rowIds = rows.map(({ id }) => id);
  const sources = new Set(await listWitnesses(tx, accountNumber, rowIds));
  for (const { id, importNumber } of rows) {
    await deleteDealRow(tx, accountNumber, id);
    if (importNumber !== undefined) sources.add(importNumber);
  }
  const dealIds = deals.map(({ id }) => id);
  for (const number of sources) await noteListed(tx, { accountNumber, number }, dealIds);
}
