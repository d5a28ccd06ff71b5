import type { Deal } from '../../domain/deal.ts';
import type { Warnings } from '../warnings.ts';
import type { ListedPosition, Matching, OrderedDeal } from './matching.ts';

/** Writes the findings into the deals. */
export function tellMatching(deals: readonly OrderedDeal[], matching: Matching): void {
  for (const [index, { deal }] of deals.entries()) {
    deal.positionId = matching.positionIds[index];
    const closed = matching.closedVolumes.get(index);
    if (closed !== undefined) deal.volumeClosed = closed;
    const opening = matching.openings.get(index);
    if (!opening) continue;
    deal.positionPrice = opening.price;
    deal.positionTimeMs = opening.timeMs;
  }
}

/**
 * Lists of deals lack stops and targets. The order that opened a position has the planned ones;
 * lists of positions have the last ones.
 */
export function tellLevels(
  deals: readonly OrderedDeal[],
  positions: readonly ListedPosition[],
  orders: ReadonlyMap<string, Levels>,
): void {
  const listed = new Map<string, Levels>(positions.map((position) => [position.id, position]));
  for (const { deal, order } of deals) {
    const planned = deal.entry === 'DEAL_ENTRY_IN' ? orders.get(order) : undefined;
    const last = listed.get(deal.positionId ?? '');
    deal.stopLoss = planned?.stopLoss ?? last?.stopLoss;
    deal.takeProfit = planned?.takeProfit ?? last?.takeProfit;
  }
}

type Levels = Pick<Deal, 'stopLoss' | 'takeProfit'>;

const NAMED_MAX = 10;

/**
 * Reports how many closing deals may belong to other positions, and which figures would be wrong.
 */
export function warnOfMatching(
  deals: readonly OrderedDeal[],
  { ambiguous, unexplained, unlisted, openings }: Matching,
  warnings: Warnings,
): void {
  const name = (indices: readonly number[]) => {
    const ids = indices.slice(0, NAMED_MAX).map((index) => deals[index]?.deal.id);
    const more = indices.length > NAMED_MAX ? ', …' : '';
    const deal = indices.length === 1 ? 'closing deal' : 'closing deals';
    return `${indices.length} ${deal} (${ids.join(', ')}${more})`;
  };
  const { times, prices, volumes } = ambiguous;
  const doubtful = [...new Set([...times, ...prices, ...volumes])].sort((a, b) => a - b);
  const wrong = [
    times.length > 0 ? `open and holding times of ${times.length}` : '',
    prices.length > 0 ? `open prices and pips of ${prices.length}` : '',
    volumes.length > 0
      ? `which volume ${volumes.length} closed, and so the number of trades and what is open`
      : '',
  ].filter((text) => text !== '');
  if (doubtful.length > 0)
    warnings.add(
      'position_ambiguous',
      `Several positions explain ${name(doubtful)} equally well: the oldest was taken. What may be ` +
        `wrong: ${wrong.join('; ')}. Profits, sums and the balance are right`,
    );
  if (unexplained.length > 0)
    warnings.add(
      'position_unexplained',
      `The profit of ${name(unexplained)} follows from no open position, and the nearest was taken. ` +
        'What may be wrong: their open times, open prices and pips, the number of trades and which ' +
        'positions are open. Profits, sums and the balance are right',
    );
  const unknown = unlisted.filter((index) => !openings.has(index));
  if (unknown.length > 0)
    warnings.add(
      'entry_not_listed',
      `The file does not list the opening of positions closed by ${name(unknown)}`,
    );
}
