import { constantRateOf } from './constant-rate.ts';
import { driftingRateOf } from './drifting-rate.ts';
import { explainedBy } from './explained-profit.ts';
import { type Exit, type Group, inOrderOfTime, type Position } from './hedging-groups.ts';
import { type Lists, matchHedging } from './match-hedging.ts';
import { matchNetting } from './match-netting.ts';
import { isExit, type Matching, type OrderedDeal } from './matching.ts';

export type PositionMode = 'hedging' | 'netting';

const NO_LISTS: Lists = { closed: [], open: [], isOpenKnown: false };

/**
 * Finds the position of every trade deal. Reports of p5 list none: an account that nets keeps one
 * position of a symbol, one that hedges a position of each entry. If nothing shows which, the kind
 * that explains the profits better is taken.
 */
export function matchPositions(
  deals: readonly OrderedDeal[],
  mode: PositionMode | undefined,
  lists: Lists = NO_LISTS,
): Matching {
  const has = (entry: string) => deals.some(({ deal }) => deal.entry === entry);
  if (mode === 'netting' || has('DEAL_ENTRY_INOUT')) return matchNetting(deals, lists.closed);
  const step = printedStep(deals);
  const hedging = matchHedging(deals, lists, step);
  if (mode === 'hedging' || has('DEAL_ENTRY_OUT_BY')) return hedging;
  const misfits = hedging.unexplained.length + new Set(hedging.unlisted).size;
  if (misfits === 0 || misfits <= nettingMisfits(deals, step)) return hedging;
  return matchNetting(deals, lists.closed);
}

/** The smallest printed step of the deals' profits, in units of Money: a power of ten. */
function printedStep(deals: readonly OrderedDeal[]): number {
  let step = 1e8;
  for (const { deal } of deals) while (step > 1 && deal.profit % step !== 0) step /= 10;
  return step;
}

type Netted = { signed: number; price: number };

/**
 * Deals impossible on a netting account, and exits whose profit is not that of the average price.
 */
export function nettingMisfits(deals: readonly OrderedDeal[], step: number): number {
  let impossible = 0;
  const held = new Map<string, Netted>();
  const groups = new Map<string, Group>();
  for (const [rank, index] of inOrderOfTime(deals).entries()) {
    const { deal } = deals[index] as OrderedDeal;
    const { symbol = '', timeMs, price = 0, volume, profit, swap } = deal;
    const { signed, price: average } = held.get(symbol) ?? { signed: 0, price: 0 };
    const change = deal.type === 'DEAL_TYPE_BUY' ? volume : -volume;
    const after = signed + change;
    if (isExit(deal)) {
      if (signed === 0 || signed > 0 === change > 0 || volume > Math.abs(signed)) impossible += 1;
      const position: Position = {
        ...{ id: '', openTimeMs: 0, openRank: -1, openPrice: average },
        ...{ volume, remaining: 0, exits: [] },
      };
      const exit: Exit = { index, rank, timeMs, price, volume, profit, swap, isCloseBy: false };
      const direction = change < 0 ? 1 : -1;
      const key = `${direction} ${symbol}`;
      const group = groups.get(key) ?? { symbol, direction, positions: [], exits: [] };
      group.exits.push({ ...exit, position });
      groups.set(key, group);
      held.set(symbol, { signed: after, price: average });
    } else {
      if (signed !== 0 && signed > 0 !== change > 0) impossible += 1;
      const weighted = (average * signed + price * change) / (after || 1);
      held.set(symbol, { signed: after, price: weighted });
    }
  }
  const bySymbol = Map.groupBy(groups.values(), ({ symbol }) => symbol);
  let unlike = 0;
  for (const both of bySymbol.values()) {
    const constant = constantRateOf(both, step);
    const rateOf = constant ? () => constant : driftingRateOf(both, step);
    for (const { exits, direction } of both)
      for (const exit of exits) {
        const rate = rateOf?.(exit);
        const average = exit.position?.openPrice ?? 0;
        if (!rate || !explainedBy(exit, average, direction, rate, step)) unlike += 1;
      }
  }
  return impossible + unlike;
}
