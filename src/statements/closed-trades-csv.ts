import { createHash } from 'node:crypto';
import type { Deal } from '../domain/deal.ts';
import type { ColumnName } from './csv-columns.ts';
import type { CsvContext } from './csv-statement.ts';
import { evenDigits, finishStatement } from './finish.ts';
import { digitsOf, parseMoney, parseNumber, parseVolume } from './numbers.ts';
import { forEachPaced } from './pace.ts';
import { cellAt, type Row, rowText } from './rows.ts';
import type { Statement } from './statement.ts';
import { type DayMonthOrder, dayMonthOrderOf, parseReportTime } from './times.ts';
import { createWarnings } from './warnings.ts';

const BALANCE = /^(?:balance|deposit|withdrawal|credit|bonus|interest|dividend)/;

/**
 * A csv with one closed trade a row, as trading journals export it. A profit column beside a
 * commission or swap column is taken to be before them.
 */
export async function readClosedTrades(context: CsvContext): Promise<Statement> {
  const { file, columns } = context;
  const warnings = createWarnings();
  const deals: Deal[] = [];
  const found = dayMonthOrderOf(file.rows.map((row) => cellAt(row, columns.closeTime)));
  // Journals that write slashes are American ones.
  const order: DayMonthOrder = found === 'day-first' ? 'day-first' : 'month-first';
  if (found === 'undecided')
    warnings.add('day_month_ambiguous', 'No date tells whether day or month is first: month taken');
  const idOf = idsByContent();
  await forEachPaced(file.rows, context.pace, { from: 0.7, to: 0.95 }, (row) => {
    const why = readTrade(row, idOf, context, order, deals);
    if (why) warnings.row(row.line, why, rowText(row));
  });
  evenDigits(deals);
  return finishStatement(
    {
      kind: 'closed-trades-csv',
      platform: 'p4',
      account: {},
      deals,
      stated: {},
      openPositions: [],
    },
    warnings,
    context.moneyDigits,
    context.pace,
  );
}

/**
 * Ids for rows that bring none: of the row's content, so that the same trade in another file is the
 * same and another trade is another. Equal rows of one file are counted.
 */
function idsByContent(): (row: Row) => string {
  const seen = new Map<string, number>();
  return (row) => {
    const hash = createHash('sha256').update(rowText(row)).digest('hex').slice(0, 20);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return count === 1 ? `row-${hash}` : `row-${hash}-${count}`;
  };
}

/** Takes a trade or a balance operation in; answers why not, if it can't. */
function readTrade(
  row: Row,
  idOf: (row: Row) => string,
  context: CsvContext,
  order: DayMonthOrder,
  deals: Deal[],
): string | undefined {
  const { columns, style, moneyDigits } = context;
  const at = (name: ColumnName) => (columns[name] === undefined ? '' : cellAt(row, columns[name]));
  const money = (name: ColumnName) => parseMoney(at(name), style, moneyDigits);
  const type = at('type').toLowerCase();
  const openTimeMs = parseReportTime(at('openTime'), order);
  const timeMs = parseReportTime(at('closeTime'), order);
  const id = at('ticket') || at('id') || idOf(row);
  const profit = at('profit') === '' ? undefined : money('profit');
  const [swap, commission, fee] = [money('swap'), money('commission'), money('fee')];
  if (profit === undefined || swap === undefined || commission === undefined || fee === undefined)
    return 'its profit, swap, commission or fee is unreadable';
  const comment = at('comment') || undefined;
  if (BALANCE.test(type)) {
    const when = openTimeMs ?? timeMs;
    if (when === undefined) return 'its time is unreadable';
    deals.push({
      id,
      type: /^(?:credit|bonus)/.test(type) ? 'DEAL_TYPE_CREDIT' : 'DEAL_TYPE_BALANCE',
      ...{ volume: 0, profit, swap, commission, fee, timeMs: when, comment },
    });
    return undefined;
  }
  if (/limit|stop/.test(type)) return undefined;
  const isBuy = /^(?:buy|long)/.test(type);
  if (!isBuy && !/^(?:sell|short)/.test(type)) return `"${at('type')}" is no known type`;
  const volume = parseVolume(at('volume'), style);
  const [price, closePrice] = [
    parseNumber(at('openPrice'), style),
    parseNumber(at('closePrice'), style),
  ];
  if (timeMs === undefined || openTimeMs === undefined) return 'its time is unreadable';
  if (volume === undefined || at('symbol') === '') return 'its symbol or volume is unreadable';
  const digits = digitsOf(at('closePrice'), style);
  const common = { positionId: id, symbol: at('symbol'), volume, digits, comment };
  deals.push({
    ...common,
    ...{ id: `${id}-in`, type: isBuy ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL', price },
    ...{ entry: 'DEAL_ENTRY_IN', timeMs: openTimeMs },
    ...{ profit: 0, swap: 0, commission: 0, fee: 0 },
  });
  deals.push({
    ...common,
    ...{ id: `${id}-out`, type: isBuy ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY', price: closePrice },
    ...{ entry: 'DEAL_ENTRY_OUT', positionPrice: price, timeMs, profit, swap, commission, fee },
  });
  return undefined;
}
