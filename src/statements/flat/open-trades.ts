import { parseNumber, parseVolume } from '../numbers.ts';
import { rowText } from '../rows.ts';
import type { OpenPosition } from '../statement.ts';
import { parseTime } from '../times.ts';
import { frameOf } from './closed-trades.ts';
import type { FlatContext } from './flat-context.ts';
import { cellsOf, type FlatTable, sideOfWord } from './flat-table.ts';

/** Tables of trades that are still open, below the closed ones. */
export function readOpenTable(tables: readonly FlatTable[], context: FlatContext): OpenPosition[] {
  return tables.flatMap((table) => {
    const cells = cellsOf(table);
    const frame = frameOf(cells, context);
    return table.rows.flatMap((row): OpenPosition[] => {
      const money = (name: 'profit' | 'swap' | 'commission') =>
        cells.money(row, name, context.moneyDigits);
      const side = sideOfWord(cells.at(row, 'side'));
      const volume = parseVolume(cells.at(row, 'volume'), cells.style);
      const openPrice = parseNumber(cells.at(row, 'openPrice'), cells.style);
      const openTimeMs = parseTime(cells.at(row, 'openTime'), frame('openTime'));
      if (!side || volume === undefined || openPrice === undefined || openTimeMs === undefined) {
        context.warnings.row(row.line, 'it is not a readable open trade', rowText(row));
        return [];
      }
      const symbol = cells.at(row, 'symbol');
      return [
        {
          positionId: cells.at(row, 'ticket') || `${symbol} ${openTimeMs}`,
          type: side === 'buy' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
          ...{ symbol, volume, openTimeMs, openPrice },
          ...{ profit: money('profit') ?? 0, swap: money('swap') ?? 0 },
          commission: money('commission') ?? 0,
        },
      ];
    });
  });
}
