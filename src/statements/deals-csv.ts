import { type Deal, isTradeDeal } from '../domain/deal.ts';
import type { ColumnName } from './csv-columns.ts';
import type { CsvContext } from './csv-statement.ts';
import { dealEntryOf, dealTypeOf } from './deal-words.ts';
import { evenDigits, finishStatement } from './finish.ts';
import { matchNetting } from './netting-matching.ts';
import { digitsOf, parseMoney, parseNumber, parseVolume } from './numbers.ts';
import { forEachPaced } from './pace.ts';
import { matchHedging, type OrderedDeal } from './position-matching.ts';
import { cellAt, type Row, rowText } from './rows.ts';
import type { Statement } from './statement.ts';
import { parseReportTime } from './times.ts';
import { createWarnings } from './warnings.ts';

/** A csv with one deal a row: our own export, and the p5 terminal's list of deals. */
export async function readDealsCsv(context: CsvContext): Promise<Statement> {
  const warnings = createWarnings();
  const deals: OrderedDeal[] = [];
  await forEachPaced(context.file.rows, context.pace, { from: 0.7, to: 0.9 }, (row) => {
    const read = readDeal(row, context);
    if (typeof read === 'string') warnings.row(row.line, read, rowText(row));
    else deals.push(read);
  });
  const loose = deals.filter(({ deal }) => isTradeDeal(deal) && deal.positionId === undefined);
  const reverses = loose.some(({ deal }) => deal.entry === 'DEAL_ENTRY_INOUT');
  const matching = reverses ? matchNetting(loose) : await matchHedging(loose, [], [], context.pace);
  for (const [index, { deal }] of loose.entries()) deal.positionId = matching.positionIds[index];
  if (matching.ambiguous.length > 0)
    warnings.add(
      'position_ambiguous',
      `${matching.ambiguous.length} closing deals fit several positions equally well; the oldest ` +
        'one was taken',
    );
  if (matching.unlisted.length > 0)
    warnings.add(
      'entry_not_listed',
      `${matching.unlisted.length} deals close positions whose opening is not listed`,
    );
  evenDigits(deals.map(({ deal }) => deal));
  return finishStatement(
    {
      kind: 'deals-csv',
      platform: 'p5',
      account: {},
      deals: deals.map(({ deal }) => deal),
      stated: {},
      openPositions: [],
    },
    warnings,
    context.moneyDigits,
    context.pace,
  );
}

/** A deal, or why the row is none. */
function readDeal(row: Row, context: CsvContext): OrderedDeal | string {
  const { columns, style, moneyDigits } = context;
  const at = (name: ColumnName) => (columns[name] === undefined ? '' : cellAt(row, columns[name]));
  const money = (name: ColumnName) => parseMoney(at(name), style, moneyDigits);
  const id = at('id');
  const timeMs = parseReportTime(at('time'));
  const type = dealTypeOf(/^\d+$/.test(at('type')) ? Number(at('type')) : at('type'));
  if (id === '') return 'it has no id';
  if (timeMs === undefined) return 'its time is unreadable';
  if (type === undefined) return `"${at('type')}" is no known type of deal`;
  const [profit, swap] = [money('profit'), money('swap')];
  const [commission, fee] = [money('commission'), money('fee')];
  if (profit === undefined || swap === undefined || commission === undefined || fee === undefined)
    return 'its profit, swap, commission or fee is unreadable';
  const deal: Deal = {
    ...{ id, type, volume: 0, profit, swap, commission, fee, timeMs },
    comment: at('comment') || undefined,
  };
  if (!isTradeDeal(deal)) return { deal, order: '' };
  const entry = dealEntryOf(/^\d+$/.test(at('entry')) ? Number(at('entry')) : at('entry'));
  const volume = parseVolume(at('volume'), style);
  if (!entry || volume === undefined || at('symbol') === '')
    return 'its symbol, entry or volume is unreadable';
  const priceText = at('price');
  Object.assign(deal, {
    ...{ entry, volume, symbol: at('symbol') },
    price: parseNumber(priceText, style),
    digits: digitsOf(priceText, style),
    positionId: at('positionId') || undefined,
  });
  return { deal, order: at('order') };
}
