import { type Deal, isTradeDeal } from '../../domain/deal.ts';
import { dealEntryOf, kindOfDeal } from '../deal-words.ts';
import type { OrderedDeal } from '../matching/matching.ts';
import { digitsOf, parseMoney, parseNumber, parseVolume } from '../numbers.ts';
import { cellAt, type Row, rowText } from '../rows.ts';
import { parseReportTime } from '../times.ts';
import type { TableContext } from './p5-position-rows.ts';
import type { ReportTable } from './report-tables.ts';

/** Logical columns of a table of deals, by field. */
export type DealColumns = {
  symbol: number | undefined;
  type: number | undefined;
  entry: number | undefined;
  volume: number | undefined;
  price: number | undefined;
  order: number | undefined;
  commission: number | undefined;
  fee: number | undefined;
  swap: number | undefined;
  profit: number | undefined;
  comment: number | undefined;
};

/**
 * Time, deal, symbol, type, direction, volume, price, order, [cost,] commission, [fee,] swap,
 * profit, balance, comment. Reports of 2016 and the tester's have no fee; the cost is ignored.
 */
export function dealColumns(table: ReportTable): DealColumns {
  const { columns } = table;
  const count = columns.length;
  return {
    symbol: columns[2],
    type: columns[3],
    entry: columns[4],
    volume: columns[5],
    price: columns[6],
    order: columns[7],
    commission: columns[count === 15 ? 9 : 8],
    fee: count >= 14 ? columns[count - 5] : undefined,
    swap: columns[count - 4],
    profit: columns[count - 3],
    comment: columns[count - 1],
  };
}

export function readDealRow(
  row: Row,
  columns: DealColumns,
  context: TableContext,
): OrderedDeal | undefined {
  const { style, moneyDigits, warnings } = context;
  const reject = (why: string) => warnings.row(row.line, why, rowText(row));
  const timeMs = parseReportTime(cellAt(row, 0));
  const id = cellAt(row, 1);
  if (timeMs === undefined || !/^\d+$/.test(id)) {
    reject('its time or number is unreadable');
    return undefined;
  }
  const word = cellAt(row, columns.type);
  if (word === '') {
    reject('its type is missing');
    return undefined;
  }
  const commission = parseMoney(cellAt(row, columns.commission), style, moneyDigits);
  const fee = parseMoney(cellAt(row, columns.fee), style, moneyDigits);
  const swap = parseMoney(cellAt(row, columns.swap), style, moneyDigits);
  const profit = parseMoney(cellAt(row, columns.profit), style, moneyDigits);
  if (commission === undefined || fee === undefined || swap === undefined || profit === undefined) {
    reject('its commission, fee, swap or profit is unreadable');
    return undefined;
  }
  const comment = cellAt(row, columns.comment) || undefined;
  const deal: Deal = {
    ...{ id, volume: 0, profit, swap, commission, fee, timeMs },
    ...kindOfDeal(word, comment, row.line, warnings),
  };
  if (!isTradeDeal(deal)) return { deal, order: '' };
  const priceText = cellAt(row, columns.price);
  const entry = dealEntryOf(cellAt(row, columns.entry));
  const volume = parseVolume(cellAt(row, columns.volume), style);
  const price = parseNumber(priceText, style);
  const symbol = cellAt(row, columns.symbol);
  if (!entry || volume === undefined || price === undefined || symbol === '') {
    reject('its symbol, direction, volume or price is unreadable');
    return undefined;
  }
  deal.entry = entry;
  deal.volume = volume;
  deal.price = price;
  deal.symbol = symbol;
  deal.digits = digitsOf(priceText, style);
  return { deal, order: cellAt(row, columns.order) };
}
