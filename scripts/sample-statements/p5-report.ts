import { resultRows } from './p5-results.ts';
import { P5_WORDS, type P5Words } from './p5-words.ts';
import { type NumberLook, printNumber, printTime } from './print.ts';
import { htmlTable, type SheetCell, type SheetRow, workbookFiles } from './sheet.ts';
import type { Fill, Position, Sample } from './trading.ts';
import { zipOf } from './zip.ts';

export type P5Account = {
  login: string;
  name: string;
  broker: string;
  server: string;
  currency: string;
  leverage: number;
  mode: 'Hedge' | 'Netting';
  moneyDigits: number;
  /** ISO 639-1; the headings' language. */
  language: string;
  /** The layout of 2016: no table of positions, no fee, the leverage in the account line. */
  old?: boolean;
  /** Lists closed parts of open positions, too, as `0.01 / 0.04`. */
  listsParts?: boolean;
  look: NumberLook;
};

type Line = { fill?: Fill; type: string; timeMs: number; profit: number; comment: string };

/** All rows of a history report, for a page or a workbook. */
export function p5HistoryRows(sample: Sample, account: P5Account): SheetRow[] {
  const words = P5_WORDS[account.language] ?? P5_WORDS.en;
  if (!words) throw new Error('no words');
  const lines = linesOf(sample);
  return [
    ...headRows(sample, account, words),
    ...(account.old ? [] : positionRows(sample, account, words)),
    ...orderRows(sample, words),
    ...dealRows(lines, account, words),
    ...openRows(sample, account, words),
    ...resultRows(sample, account, words),
  ];
}

/** UTF-16LE with a byte order mark, as the terminal saves pages. */
export function p5HistoryPage(sample: Sample, account: P5Account): Buffer {
  const words = P5_WORDS[account.language];
  const page =
    `<!DOCTYPE html>\n<html>\n<head><title>${account.login}: ${account.name} - ${words?.title}` +
    '</title>\n<meta name="generator" content="client terminal">\n' +
    '<style type="text/css">.hidden {display:none}</style></head>\n<body>\n<table>\n' +
    `${htmlTable(p5HistoryRows(sample, account))}\n</table>\n</body>\n</html>\n`;
  return Buffer.from(`\ufeff${page}`, 'utf16le');
}

export const p5HistoryWorkbook = (sample: Sample, account: P5Account): Buffer =>
  zipOf(workbookFiles(p5HistoryRows(sample, account)));

export const linesOf = (sample: Sample): Line[] =>
  [
    ...sample.operations.map(
      ({ timeMs, amount, type, comment }): Line => ({ timeMs, type, profit: amount, comment }),
    ),
    ...sample.fills.map((fill): Line => {
      const { timeMs, side, profit, comment } = fill;
      return { fill, timeMs, type: side, profit, comment };
    }),
  ].sort((a, b) => a.timeMs - b.timeMs || (a.fill?.order ?? 0) - (b.fill?.order ?? 0));

export const cell = (column: number, text: string, value?: number, span = 1): SheetCell => ({
  ...{ column, text, span },
  ...(value === undefined ? {} : { value }),
});

const titleRow = (text: string): SheetRow => ({
  heading: true,
  cells: [cell(0, text, undefined, 14)],
});
const headings = (texts: readonly (string | SheetCell)[]): SheetRow => ({
  heading: true,
  cells: texts.map((text, column) =>
    typeof text === 'string' ? { ...cell(column, text), bold: true } : text,
  ),
});

function headRows(sample: Sample, account: P5Account, words: P5Words): SheetRow[] {
  const { login, currency, server, leverage, mode } = account;
  const inBrackets = account.old
    ? [currency, `1:${leverage}`, server, 'demo']
    : [currency, server, 'demo', mode];
  const values = [
    account.name,
    `${login}\u00a0(${inBrackets.join(',\u00a0')})`,
    account.broker,
    printTime(sample.endMs).slice(0, 16),
  ];
  return [
    titleRow(words.title),
    ...words.head.map((label, index) => ({
      cells: [cell(0, `${label}:`, undefined, 3), cell(3, values[index] ?? '', undefined, 10)],
    })),
  ];
}

function positionRows(sample: Sample, account: P5Account, words: P5Words): SheetRow[] {
  const { columns: c } = words;
  const money = (value: number) => printNumber(value, account.moneyDigits, account.look);
  const closed = sample.positions.filter(
    (p) => (p.lotsLeft === 0 || account.listsParts) && p.fills.length > 1,
  );
  const rows = closed.map((position): SheetRow => {
    const { symbol, fills } = position;
    const exits = fills.filter(({ entry }) => entry !== 'in');
    const last = exits.at(-1) as Fill;
    const sum = (part: (fill: Fill) => number) => fills.reduce((all, fill) => all + part(fill), 0);
    const lots = Number(exits.reduce((all, fill) => all + fill.lots, 0).toFixed(2));
    const exit = exits.reduce((all, fill) => all + fill.price * fill.lots, 0) / lots;
    const price = (column: number, value: number) =>
      cell(column, value.toFixed(symbol.digits), value);
    const amount = (column: number, value: number) => cell(column, money(value), value);
    return {
      cells: [
        cell(0, printTime(position.openTimeMs)),
        cell(1, String(position.id), position.id),
        cell(2, symbol.name),
        cell(3, position.side),
        { column: 4, text: position.comment, hidden: true, span: 8 },
        cell(4, position.lotsLeft === 0 ? String(position.lots) : `${lots} / ${position.lots}`),
        price(5, position.openPrice),
        price(6, position.stop),
        price(7, position.target),
        cell(8, printTime(last.timeMs)),
        price(9, Number(exit.toFixed(symbol.digits))),
        amount(
          10,
          sum((fill) => fill.commission),
        ),
        amount(
          11,
          sum((fill) => fill.swap),
        ),
        amount(
          12,
          sum((fill) => fill.profit),
        ),
      ],
    };
  });
  const profit = { ...cell(12, c.profit, undefined, 2), bold: true };
  const names = [c.time, c.position, c.symbol, c.type, c.volume, c.price, 'S / L', 'T / P'];
  return [
    titleRow(words.sections[0]),
    headings([...names, c.time, c.price, c.commission, c.swap, profit]),
    ...rows,
  ];
}

function orderRows(sample: Sample, words: P5Words): SheetRow[] {
  const { columns: c } = words;
  const state = { ...cell(9, c.state, undefined, 2), bold: true };
  const comment = { ...cell(11, c.comment, undefined, 3), bold: true };
  const names = [
    c.openTime,
    c.order,
    c.symbol,
    c.type,
    c.volume,
    c.price,
    'S / L',
    'T / P',
    c.time,
  ];
  const positions = new Map(sample.positions.map((position) => [position.id, position]));
  const rows = sample.fills.map((fill): SheetRow => {
    const { symbol, lots } = fill;
    // Orders that close have neither.
    const { stop = 0, target = 0 } =
      (fill.entry === 'in' && positions.get(fill.positionId)) || ({} as Partial<Position>);
    const level = (column: number, price: number) =>
      price ? cell(column, price.toFixed(symbol.digits), price) : cell(column, '');
    return {
      cells: [
        cell(0, printTime(fill.timeMs)),
        cell(1, String(fill.order), fill.order),
        ...[symbol.name, fill.side, `${lots} / ${lots}`, 'market'].map((text, index) =>
          cell(index + 2, text),
        ),
        ...[level(6, stop), level(7, target)],
        cell(8, printTime(fill.timeMs)),
        cell(9, 'filled', undefined, 2),
        cell(11, fill.comment, undefined, 3),
      ],
    };
  });
  return [titleRow(words.sections[1]), headings([...names, state, comment]), ...rows];
}

function dealRows(lines: readonly Line[], account: P5Account, words: P5Words): SheetRow[] {
  const { columns: c } = words;
  const fee = account.old ? 0 : 1;
  const money = (column: number, value: number) =>
    cell(column, printNumber(value, account.moneyDigits, account.look), value);
  let balance = 0;
  const rows = lines.map(({ fill, type, timeMs, profit, comment }, index): SheetRow => {
    const [swap, commission] = [fill?.swap ?? 0, fill?.commission ?? 0];
    if (type !== 'credit') balance += profit + swap + commission;
    const id = 91_400_000 + index * 3;
    return {
      cells: [
        cell(0, printTime(timeMs)),
        cell(1, String(id), id),
        cell(2, fill?.symbol.name ?? ''),
        cell(3, type),
        cell(4, fill?.entry ?? ''),
        cell(5, fill ? String(fill.lots) : ''),
        fill ? cell(6, fill.price.toFixed(fill.symbol.digits), fill.price) : cell(6, ''),
        fill ? cell(7, String(fill.order), fill.order) : cell(7, ''),
        ...(account.old ? [] : [{ column: 8, text: '', hidden: true }]),
        money(8, commission),
        ...(account.old ? [] : [money(9, 0)]),
        money(9 + fee, swap),
        money(10 + fee, profit),
        money(11 + fee, balance),
        cell(12 + fee, comment),
      ],
    };
  });
  const names = [c.time, c.deal, c.symbol, c.type, c.direction, c.volume, c.price, c.order];
  const amounts = [c.commission, ...(account.old ? [] : [c.fee]), c.swap, c.profit, c.balance];
  const titles: SheetCell[] = [...names, ...amounts, c.comment].map((text, column) => ({
    ...cell(column, text),
    bold: true,
  }));
  if (!account.old) titles.splice(8, 0, { column: 8, text: c.cost, hidden: true });
  return [titleRow(words.sections[2]), { heading: true, cells: titles }, ...rows];
}

function openRows(sample: Sample, account: P5Account, words: P5Words): SheetRow[] {
  const { columns: c } = words;
  const open = sample.positions.filter(({ lotsLeft }) => lotsLeft > 0);
  const names = [c.time, c.position, c.symbol, c.type, c.volume, c.price, 'S / L', 'T / P'];
  const comment = { ...cell(11, c.comment, undefined, 3), bold: true };
  const rows = open.map((position): SheetRow => {
    const { symbol } = position;
    const price = sample.last.get(symbol.name) ?? position.openPrice;
    const profit = floatingOf(sample, position, account.moneyDigits);
    return {
      cells: [
        cell(0, printTime(position.openTimeMs)),
        cell(1, String(position.id), position.id),
        ...[symbol.name, position.side, String(position.lotsLeft)].map((text, index) =>
          cell(index + 2, text),
        ),
        cell(5, position.openPrice.toFixed(symbol.digits), position.openPrice),
        ...[cell(6, ''), cell(7, ''), cell(8, price.toFixed(symbol.digits))],
        cell(9, printNumber(0, account.moneyDigits, account.look), 0),
        cell(10, printNumber(profit, account.moneyDigits, account.look), profit),
        cell(11, position.comment, undefined, 3),
      ],
    };
  });
  return [
    titleRow(words.sections[3]),
    headings([...names, c.market, c.swap, c.profit, comment]),
    ...rows,
  ];
}

export function floatingOf(sample: Sample, position: Position, moneyDigits: number): number {
  const { symbol, side, openPrice, lotsLeft } = position;
  const price = Number((sample.last.get(symbol.name) ?? openPrice).toFixed(symbol.digits));
  const move = (side === 'buy' ? 1 : -1) * (price - openPrice) * lotsLeft * symbol.lotValue(price);
  return Number(move.toFixed(moneyDigits));
}
