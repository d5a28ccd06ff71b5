import { inOrderOfTime } from './hedging-groups.ts';
import { emptyMatching, type ListedPosition, type Matching, type OrderedDeal } from './matching.ts';

type Held = { id: string; signed: number; listed?: ListedPosition | undefined };

/**
 * Netting accounts hold one position of a symbol. It keeps the number of the order that opened it,
 * through a reversal too (MQL5 reference, POSITION_IDENTIFIER), until it is closed. What was held
 * before the first deal of a symbol is told by the list of positions, where there is one.
 */
export function matchNetting(
  deals: readonly OrderedDeal[],
  closed: readonly ListedPosition[] = [],
): Matching {
  const result = emptyMatching(deals.length);
  const positions = new Map<string, Held>();
  const lists = Map.groupBy(closed, ({ symbol }) => symbol);
  for (const index of inOrderOfTime(deals)) {
    const { deal, order } = deals[index] as OrderedDeal;
    const symbol = deal.symbol ?? '';
    const known = positions.get(symbol);
    const isEntry = deal.entry === 'DEAL_ENTRY_IN';
    const held: Held =
      known && known.signed !== 0
        ? known
        : ((known || isEntry ? undefined : heldBefore(deal, lists.get(symbol))) ?? {
            id: order || deal.id,
            signed: 0,
          });
    const { listed } = held;
    if (!isEntry && (held.signed === 0 || listed)) result.unlisted.push(index);
    if (!isEntry && listed)
      result.openings.set(index, { timeMs: listed.openTimeMs, price: listed.openPrice });
    if (deal.entry === 'DEAL_ENTRY_INOUT')
      result.closedVolumes.set(index, Math.min(deal.volume, Math.abs(held.signed)));
    result.positionIds[index] = held.id;
    const signed = held.signed + (deal.type === 'DEAL_TYPE_BUY' ? deal.volume : -deal.volume);
    // An exit never opens the other side, whatever a cut-off history adds up to.
    const isOut = !isEntry && deal.entry !== 'DEAL_ENTRY_INOUT';
    const crossed = isOut && Math.sign(signed) !== Math.sign(held.signed);
    positions.set(symbol, { id: held.id, signed: crossed ? 0 : signed, listed });
  }
  return result;
}

function heldBefore(
  { type, timeMs }: OrderedDeal['deal'],
  listedOfSymbol: readonly ListedPosition[] = [],
): Held | undefined {
  const listed = listedOfSymbol.find(
    (position) =>
      position.side !== type &&
      position.openTimeMs < timeMs &&
      (position.closeTimeMs ?? 0) >= timeMs,
  );
  if (!listed) return undefined;
  const signed = listed.side === 'DEAL_TYPE_BUY' ? listed.volume : -listed.volume;
  return { id: listed.id, signed, listed };
}
