import { MINUTE_MS } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  deleteDealRow,
  findDeals,
  listPositionDeals,
  type StoredDeal,
} from '../../storage/deal-store.ts';
import { noteDealsChanged } from '../../storage/history-store.ts';
import { listWitnesses, noteListed, type StatementImport } from '../../storage/import-store.ts';

/** Ids that readers make from a row: they stand for a position without listed deals. */
const MADE = /-(?:in|out)$/;
export const isMade = ({ id }: Pick<Deal, 'id'>): boolean => MADE.test(id);

export const isSameClosing = (a: Deal, b: Deal): boolean =>
  a.volume === b.volume && Math.floor(a.timeMs / MINUTE_MS) === Math.floor(b.timeMs / MINUTE_MS);

/**
 * A position that a file tells in deals and others in rows, or the other way round: its id in the
 * file, or the deal's own without one, and the deals of others.
 */
export type ToldTwice = readonly [positionId: string, others: readonly StoredDeal[]];

/** A deal that was removed, and the counting one that it witnesses. */
export type Removed = { deal: StoredDeal; counting: string | undefined };

/**
 * Lets one telling of each position count: the deals, unless they are only a part of it, as a
 * report of one month may have. The sources of the other one are its witnesses. This comes once all
 * of a file is stored: one that is taken back half-way leaves everything as it was.
 */
export async function settleRows(
  tx: Transaction,
  { accountNumber, number }: Pick<StatementImport, 'accountNumber' | 'number'>,
  positions: readonly ToldTwice[],
): Promise<Removed[]> {
  const storedOf = await readPositions(tx, accountNumber, positions);
  const removed: Removed[] = [];
  const made = await readRows(tx, accountNumber, positions);
  for (const [positionId, others] of positions) {
    const stored = storedOf.get(positionId) ?? [];
    const found = others.flatMap(({ id }) => made.get(id) ?? []);
    const own = stored.filter((deal) => isMade(deal) && deal.importNumber === number);
    const rows = found.length > 0 ? found : own;
    const deals = stored.filter((deal) => !isMade(deal));
    if (rows.length === 0 || deals.length === 0) continue;
    const [counting, other] = isWhole(deals, rows) ? [deals, rows] : [rows, deals];
    await remove(tx, accountNumber, other, counting);
    for (const deal of other)
      removed.push({ deal, counting: counting.find((one) => isSameClosing(deal, one))?.id });
  }
  await noteDealsChanged(tx, accountNumber, true);
  return removed;
}

/** Their sources, and the witnesses that they had, are witnesses of the counting ones. */
async function remove(
  tx: Transaction,
  accountNumber: number,
  deals: readonly StoredDeal[],
  counting: readonly StoredDeal[],
): Promise<void> {
  const ids = deals.map(({ id }) => id);
  const sources = new Set(await listWitnesses(tx, accountNumber, ids));
  for (const { id, importNumber } of deals) {
    await deleteDealRow(tx, accountNumber, id);
    if (importNumber !== undefined) sources.add(importNumber);
  }
  const countingIds = counting.map(({ id }) => id);
  for (const number of sources) await noteListed(tx, { accountNumber, number }, countingIds);
}

/** All stored deals of each position, and bookings without one by their own ids. */
async function readPositions(
  tx: Transaction,
  accountNumber: number,
  positions: readonly ToldTwice[],
): Promise<Map<string, StoredDeal[]>> {
  const ids = positions.map(([id]) => id);
  const bookings = await findDeals(tx, accountNumber, ids);
  const ofPositions = await listPositionDeals(tx, accountNumber, ids);
  const all = [...ofPositions, ...bookings.filter(({ positionId }) => !positionId)];
  return Map.groupBy(all, ({ id, positionId }) => positionId || id);
}

/** Rows of others as they are now, by their ids: they may be of another position, or gone. */
async function readRows(
  tx: Transaction,
  accountNumber: number,
  positions: readonly ToldTwice[],
): Promise<Map<string, StoredDeal>> {
  const ids = positions.flatMap(([, others]) => others.filter(isMade).map(({ id }) => id));
  const rows = await findDeals(tx, accountNumber, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Whether deals open what rows open, and leave no more of it open. What a platform or a client
 * tells is never a part.
 */
function isWhole(deals: readonly StoredDeal[], rows: readonly Deal[]): boolean {
  const [told, stated] = [volumesOf(deals), volumesOf(rows)];
  if (stated.opened === 0 || deals.some(({ importNumber }) => importNumber === undefined))
    return true;
  return told.opened > 0 && told.opened - told.closed <= stated.opened - stated.closed;
}

/** Whether deals of reports leave a position open, or close one that they do not open. */
export function isPart(deals: readonly StoredDeal[]): boolean {
  const { opened, closed } = volumesOf(deals);
  return (
    opened !== closed &&
    deals.every((deal) => !isMade(deal) && deal.importNumber !== undefined && deal.positionId)
  );
}

function volumesOf(deals: readonly Deal[]): { opened: number; closed: number } {
  const volumes = { opened: 0, closed: 0 };
  for (const { entry, volume } of deals)
    volumes[entry === 'DEAL_ENTRY_IN' ? 'opened' : 'closed'] += volume;
  return volumes;
}
