import type { Volume } from '../../domain/money.ts';
import { inOrderOfTime } from './hedging-groups.ts';
import { emptyMatching, type ListedPosition, type Matching, type OrderedDeal } from './matching.ts';

type Held = { id: string; signed: Volume; listed?: ListedPosition | undefined };

/**
 * Netting accounts hold one position of a symbol. It keeps the number of the order that opened it,
 * through a reversal too (MQL5 reference, POSITION_IDENTIFIER), until it is closed. Holdings before
 * the first deal of a symbol come from the list of positions, if there is one.
 */
export function matchNetting(
  deals: readonly OrderedDeal[],
  closed: readonly ListedPosition[] = [],
): Matching {
  const result = emptyMatching(deals.length);
  const lists = Map.groupBy(closed, ({ symbol }) => symbol);
  const symbolOf = (index: number) => deals[index]?.deal.symbol ?? '';
  for (const [symbol, indices] of Map.groupBy(inOrderOfTime(deals), symbolOf))
    matchSymbol(deals, indices, lists.get(symbol) ?? [], result);
  return result;
}

function matchSymbol(
  deals: readonly OrderedDeal[],
  indices: readonly number[],
  listed: readonly ListedPosition[],
  result: Matching,
): void {
  let held = heldBefore(deals, indices, listed);
  for (const index of indices) {
    const { deal, order } = deals[index] as OrderedDeal;
    if (!held || held.signed === 0) held = { id: order || deal.id, signed: 0 };
    const { listed: before } = held;
    const isReversal = deal.entry === 'DEAL_ENTRY_INOUT';
    const isOut = deal.entry !== 'DEAL_ENTRY_IN' && !isReversal;
    const change: Volume = deal.type === 'DEAL_TYPE_BUY' ? deal.volume : -deal.volume;
    const signed: Volume = held.signed + change;
    // An exit never opens the other side, whatever the sums of an incomplete history.
    const isBeyond = isOut && (held.signed === 0 || Math.sign(signed) === Math.sign(change));
    if (before && (isOut || isReversal)) {
      result.unlisted.push(index);
      result.openings.set(index, { timeMs: before.openTimeMs, price: before.openPrice });
    } else if (isBeyond || (isReversal && held.signed === 0)) result.unlisted.push(index);
    if (isReversal) result.closedVolumes.set(index, Math.min(deal.volume, Math.abs(held.signed)));
    result.positionIds[index] = held.id;
    held = { id: held.id, signed: isBeyond ? 0 : signed, listed: isReversal ? undefined : before };
  }
}

/** A listed position that was open already: its closed volume, less that of its listed entries. */
function heldBefore(
  deals: readonly OrderedDeal[],
  indices: readonly number[],
  listed: readonly ListedPosition[],
): Held | undefined {
  const own = indices.flatMap((index) => deals[index]?.deal ?? []);
  const firstMs = own[0]?.timeMs ?? 0;
  const found = listed.find(
    ({ openTimeMs, closeTimeMs = 0 }) => openTimeMs < firstMs && closeTimeMs >= firstMs,
  );
  if (!found) return undefined;
  const { id, side, volume, closeTimeMs = 0 } = found;
  const added = own
    .filter(
      ({ entry, type, timeMs }) =>
        entry === 'DEAL_ENTRY_IN' && type === side && timeMs <= closeTimeMs,
    )
    .reduce((sum, deal) => sum + deal.volume, 0);
  const before = Math.max(0, volume - added);
  return { id, signed: side === 'DEAL_TYPE_BUY' ? before : -before, listed: found };
}
