import { cell, floatingOf, type P5Account, p5HistoryRows } from './p5-report.ts';
import { P5_WORDS } from './p5-words.ts';
import { printNumber, printTime } from './print.ts';
import { htmlTable, plainCells, plainWorkbookFiles, type SheetRow } from './sheet.ts';
import type { Position, Sample } from './trading.ts';
import { zipOf } from './zip.ts';

/** Reports of p5 that look other than most: of old builds, of parts, and edited by hand. */

export const pageOf = (rows: readonly SheetRow[]): Buffer =>
  Buffer.from(`<html><body><table>${htmlTable(rows)}</table></body></html>`);

/** Rows of the balance, equity and margin, which follow the open positions. */
const ACCOUNT_ROWS = 4;

const isTitle = ({ heading, cells }: SheetRow): boolean => heading === true && cells.length === 1;

/** The head, positions, orders, deals, open positions with the account's balance, and results. */
export const sectionsOf = (rows: readonly SheetRow[]): SheetRow[][] => {
  const starts = [...rows.keys()].filter((row) => isTitle(rows[row] as SheetRow));
  return starts.map((start, index) => rows.slice(start, starts[index + 1]));
};

/** A report whose rows of name, account, broker and date were cut off. */
export const headlessPage = (sample: Sample, account: P5Account): Buffer => {
  const [, ...sections] = sectionsOf(p5HistoryRows(sample, account));
  return pageOf(sections.flat());
};

/** A workbook that has its tables in sheets of their own, deals first. */
export const sheetsWorkbook = (sample: Sample, account: P5Account): Buffer => {
  const sections = sectionsOf(p5HistoryRows(sample, account));
  const [head = [], positions = [], orders = [], deals = [], open = [], results = []] = sections;
  const sheets = [[...head, ...deals], positions, [...orders, ...open], results];
  return zipOf(plainWorkbookFiles(sheets.map((rows) => rows.map(plainCells))));
};

/** The data of a report of a later part of the history: complete positions, but no earlier deal. */
export const since = (sample: Sample, timeMs: number): Sample => ({
  ...sample,
  fills: sample.fills.filter((fill) => fill.timeMs >= timeMs),
  operations: sample.operations.filter((operation) => operation.timeMs >= timeMs),
  positions: sample.positions.filter(({ fills }) =>
    fills.some((fill) => fill.entry !== 'in' && fill.timeMs >= timeMs),
  ),
});

/** The table of open positions of 2011: no number and no time of its own, eleven columns. */
export const unnumberedOpenPage = (sample: Sample, account: P5Account): Buffer => {
  const sections = sectionsOf(p5HistoryRows(sample, { ...account, old: true }));
  const [head = [], orders = [], deals = [], open = [], results = []] = sections;
  const rows = unnumberedRows(sample, account);
  return pageOf([...head, ...orders, ...deals, ...rows, ...open.slice(-ACCOUNT_ROWS), ...results]);
};

const unnumberedRows = (sample: Sample, account: P5Account): SheetRow[] => {
  const names = 'Time,Symbol,Type,Volume,Price,S / L,T / P,Market Price,Swap,Profit,Comment';
  const open = sample.positions.filter(({ lotsLeft }) => lotsLeft > 0);
  return [
    { heading: true, cells: [cell(0, 'Open Positions', undefined, 13)] },
    { heading: true, cells: names.split(',').map((name, column) => cell(column, name)) },
    ...open.map((one) => ({
      cells: [printTime(one.openTimeMs), ...openTexts(sample, one, account)].map((text, column) =>
        cell(column, text),
      ),
    })),
  ];
};

const openTexts = (sample: Sample, position: Position, { moneyDigits }: P5Account): string[] => {
  const { symbol, side, lotsLeft, openPrice, stop, target, comment } = position;
  const now = sample.last.get(symbol.name) ?? openPrice;
  const prices = [openPrice, stop, target, now].map((price) => price.toFixed(symbol.digits));
  const money = [0, floatingOf(sample, position, moneyDigits)];
  return [
    ...[symbol.name, side, String(lotsLeft), ...prices],
    ...money.map((amount) => printNumber(amount, moneyDigits)),
    comment,
  ];
};

/** Open positions and pending orders, symbol first, as in the terminal's tab of trades. */
export const p5TradePage = (sample: Sample, account: P5Account): Buffer => {
  const words = P5_WORDS[account.language] ?? P5_WORDS.en;
  if (!words) throw new Error('no words');
  const { columns: c } = words;
  const [head = [], , , , ends = []] = sectionsOf(p5HistoryRows(sample, account));
  const front = [c.symbol, c.position, c.time, c.type, c.volume, c.price, 'S / L', 'T / P'];
  const open = sample.positions.filter(({ lotsLeft }) => lotsLeft > 0);
  const table = (title: string, headings: readonly string[], rows: readonly string[][]) => [
    { heading: true, cells: [cell(0, title, undefined, 12)] },
    { heading: true, cells: headings.map((name, column) => cell(column, name)) },
    ...rows.map((texts) => ({ cells: texts.map((text, column) => cell(column, text)) })),
  ];
  const pending = (type: string, symbol: string, order: number): string[] => [
    ...[symbol, String(order), printTime(sample.endMs), type, '0.10 / 0.00', '1.05000'],
    ...['', '', '1.10000', 'placed', 'wait'],
  ];
  return pageOf([
    ...head,
    ...table(
      words.sections[0],
      [...front, c.market, c.swap, c.profit, c.comment],
      open.map((one) => {
        const [symbol = '', ...rest] = openTexts(sample, one, account);
        return [symbol, String(one.id), printTime(one.openTimeMs), ...rest];
      }),
    ),
    ...table(
      words.sections[1],
      [...front.slice(0, 1), c.order, ...front.slice(2), c.market, c.state, c.comment],
      [pending('buy limit', 'EURUSD', 9_001), pending('sell stop', 'GBPUSD', 9_002)],
    ),
    ...ends.slice(-ACCOUNT_ROWS),
  ]);
};
