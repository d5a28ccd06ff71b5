import { createHash } from 'node:crypto';
import { type Deal, isCredit } from '../../domain/deal.ts';
import type { OperationRow, TradeRow } from './trade-rows.ts';

/**
 * Two deals per trade, `<id>-in` and `<id>-out`; only the closing one carries money. If the file
 * does not say when the position was opened, there is only the closing one, with the open price.
 */
export function dealsOfTrade(trade: TradeRow, id: string): Deal[] {
  const { isBuy, symbol, volume, openTimeMs, openPrice, digits, comment, plan } = trade;
  const common = { positionId: id, symbol, volume, digits, comment, ...plan };
  const exit: Deal = {
    ...common,
    ...{ id: `${id}-out`, type: isBuy ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY' },
    ...{ entry: 'DEAL_ENTRY_OUT', price: trade.closePrice, positionPrice: openPrice },
    ...{ profit: trade.profit, swap: trade.swap, commission: trade.commission, fee: trade.fee },
    timeMs: trade.closeTimeMs,
  };
  if (openTimeMs === undefined) return [exit];
  const entry: Deal = {
    ...common,
    ...{ id: `${id}-in`, type: isBuy ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL', price: openPrice },
    ...{ entry: 'DEAL_ENTRY_IN', timeMs: openTimeMs },
    ...{ profit: 0, swap: 0, commission: 0, fee: 0 },
  };
  return [entry, exit];
}

export const dealOfOperation = (operation: OperationRow, id: string): Deal => ({
  ...{ id, type: operation.type, volume: 0 },
  ...{ profit: operation.amount, swap: 0, commission: 0, fee: 0 },
  ...{ timeMs: operation.timeMs, comment: operation.comment },
});

/**
 * The identity of a row's trade or operation: the values read, never the text, which differs
 * between exports.
 */
export const contentOf = (item: TradeRow | OperationRow): string =>
  'amount' in item
    ? [item.timeMs, isCredit(item), item.amount].join('|')
    : [
        ...[item.openTimeMs, item.closeTimeMs, item.isBuy, item.volume, item.symbol],
        ...[item.openPrice, item.closePrice, item.profit],
      ].join('|');

/**
 * Ids for trades and operations in the order of their times. Rows without an id get one from their
 * content, so that the same row in another file has the same id; equal ones are counted. Rows that
 * share an id are parts of a position: the first to close keeps it, later ones are counted, so that
 * a longer file gives them the same ids. Undefined for a row that repeats another one exactly.
 */
export function createRowIds(): (listed: string | undefined, text: string) => string | undefined {
  const parts = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  return (listed, text) => {
    if (listed === undefined) {
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 20);
      const count = (counts.get(hash) ?? 0) + 1;
      counts.set(hash, count);
      return count === 1 ? `row-${hash}` : `row-${hash}-${count}`;
    }
    const known = parts.get(listed) ?? new Set();
    if (known.has(text)) return undefined;
    parts.set(listed, known.add(text));
    return known.size === 1 ? listed : `${listed}.${known.size}`;
  };
}
