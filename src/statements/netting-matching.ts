import { emptyMatching, type Matching, type OrderedDeal } from './position-matching.ts';

/**
 * Netting accounts hold one position of a symbol. It keeps the number of the order that opened it,
 * through a reversal too (MQL5 reference, POSITION_IDENTIFIER), until it is closed.
 */
export function matchNetting(deals: readonly OrderedDeal[]): Matching {
  const result = emptyMatching(deals.length);
  const positions = new Map<string, { id: string; signed: number }>();
  for (const [index, item] of deals.entries()) {
    const { deal, order } = item;
    const symbol = deal.symbol ?? '';
    const known = positions.get(symbol);
    const held = known && known.signed !== 0 ? known : { id: order || deal.id, signed: 0 };
    if (held.signed === 0 && deal.entry !== 'DEAL_ENTRY_IN') result.unlisted.push(item);
    if (deal.entry === 'DEAL_ENTRY_INOUT')
      result.closedVolumes.set(index, Math.min(deal.volume, Math.abs(held.signed)));
    result.positionIds[index] = held.id;
    const signed = held.signed + (deal.type === 'DEAL_TYPE_BUY' ? deal.volume : -deal.volume);
    const isExit = deal.entry === 'DEAL_ENTRY_OUT' || deal.entry === 'DEAL_ENTRY_OUT_BY';
    // An exit never opens the other side, whatever a cut-off history adds up to.
    const crossed = isExit && Math.sign(signed) !== Math.sign(held.signed);
    positions.set(symbol, { id: held.id, signed: crossed ? 0 : signed });
  }
  return result;
}
