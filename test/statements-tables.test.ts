import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  JOURNALS,
  journalCsv,
  journalRows,
  journalTrades,
} from '../scripts/sample-statements/journals.ts';
import { hedgingSample } from '../scripts/sample-statements/samples.ts';
import { plainWorkbookFiles } from '../scripts/sample-statements/sheet.ts';
import { zipOf } from '../scripts/sample-statements/zip.ts';
import { readStatement } from '../src/statements/read-statement.ts';
import { UnreadableStatement } from '../src/statements/unreadable-statement.ts';

const read = (content: string | Uint8Array, more = {}) =>
  readStatement(Buffer.from(content as string), { moneyDigits: 4, ...more });
const codesOf = ({ warnings }: Awaited<ReturnType<typeof read>>) =>
  warnings.map(({ code }) => code);
const exitsOf = ({ deals }: Awaited<ReturnType<typeof read>>) =>
  deals.filter(({ entry }) => entry === 'DEAL_ENTRY_OUT');

const trades = journalTrades(hedgingSample()).slice(0, 40);
const { Exness: layout } = JOURNALS;
assert.ok(layout);

test('a flat workbook is read through all its sheets, titles above its headings or not', async () => {
  const [first, second] = [trades.slice(0, 15), trades.slice(15)];
  const sheets = [
    [['Trades of May'], [], ...journalRows(layout, first)],
    [['Notes'], ['nothing here', 'but words']],
    journalRows(layout, second),
  ];
  const workbook = await read(zipOf(plainWorkbookFiles(sheets)));
  const csv = await read(journalCsv(layout, trades));
  assert.deepEqual(workbook.deals, csv.deals);
  assert.equal(workbook.kind, 'closed-trades');
});

test('a page with a plain table of trades reads like the csv', async () => {
  const cells = (row: readonly (string | number)[]) =>
    row.map((cell) => `<td>${cell}</td>`).join('');
  const rows = journalRows(layout, trades).map((row) => `<tr>${cells(row)}</tr>`);
  const page = `<html><body><h1>Mine</h1><table>${rows.join('\n')}</table></body></html>`;
  assert.deepEqual((await read(page)).deals, (await read(journalCsv(layout, trades))).deals);
});

test('dates of a workbook are days since 1900', async () => {
  const days = (text: string) => Date.parse(`${text}Z`) / 86_400_000 + 25_569;
  const rows = [
    [
      'Ticket',
      'Open Time',
      'Close Time',
      'Type',
      'Symbol',
      'Lots',
      'Open Price',
      'Close Price',
      'Profit',
    ],
    [
      1,
      days('2026-05-04T09:00:00'),
      days('2026-05-04T10:00:30'),
      'buy',
      'EURUSD',
      0.1,
      1.1,
      1.2,
      5,
    ],
  ];
  const { deals } = await read(zipOf(plainWorkbookFiles([rows])));
  assert.deepEqual(
    deals.map(({ timeMs }) => timeMs),
    [Date.UTC(2026, 4, 4, 9), Date.UTC(2026, 4, 4, 10, 0, 30)],
  );
});

const HEAD = 'Ticket,Symbol,Type,Lots,Open Time,Close Time,Open Price,Close Price';
const TIMES = '2026-05-04 09:00:00,2026-05-04 10:00:00';
const row = (ticket: number, costs: string) =>
  `${ticket},EURUSD,buy,0.1,${TIMES},1.1,1.102,${costs}\n`;

test('net profits beside their costs are not charged again', async () => {
  const statement = await read(
    `${HEAD},Commission,Swap,Net Profit\n${row(1, '-0.7,-0.3,19')}${row(2, '-0.7,0,19.3')}`,
  );
  assert.deepEqual(
    exitsOf(statement).map((d) => [d.profit, d.commission, d.swap]),
    [
      [200_000, -7_000, -3_000],
      [200_000, -7_000, 0],
    ],
  );
  assert.deepEqual(codesOf(statement), []);
});

test('a profit is known to be net by the prices of the trades', async () => {
  const trade = (ticket: number, close: number, commission: number, profit: string) =>
    `${ticket},EURUSD,buy,0.1,${TIMES},1.1,${close},${commission},${profit}\n`;
  const net = await read(
    `${HEAD},Commission,Profit\n` +
      trade(1, 1.101, -3, '7') +
      trade(2, 1.102, -5, '15') +
      trade(3, 1.104, -2, '38'),
  );
  assert.deepEqual(
    exitsOf(net).map(({ profit }) => profit),
    [100_000, 200_000, 400_000],
  );
  assert.deepEqual(codesOf(net), []);
  assert.deepEqual(
    net.readings.find(({ question }) => question === 'costs'),
    {
      ...{ question: 'costs', answer: 'inside', verdict: 'proved' },
    },
  );
  const gross = await read(
    `${HEAD},Commission,Profit\n` +
      trade(1, 1.101, -3, '10') +
      trade(2, 1.102, -5, '20') +
      trade(3, 1.104, -2, '40'),
  );
  assert.deepEqual(
    exitsOf(gross).map(({ profit }) => profit),
    [100_000, 200_000, 400_000],
  );
  assert.deepEqual(codesOf(gross), []);
});

test('commissions listed as positive amounts are costs, with a warning', async () => {
  const statement = await read(`${HEAD},Commission,Profit\n${row(1, '0.7,20')}${row(2, '0.5,20')}`);
  assert.deepEqual(
    exitsOf(statement).map(({ commission }) => commission),
    [-7_000, -5_000],
  );
  assert.deepEqual(codesOf(statement), ['reading_assumed']);
});

test('an unknown column of numbers is named', async () => {
  const statement = await read(`${HEAD},Profit,Financing,Grade\n${row(1, '20,-1.5,A')}`);
  assert.deepEqual(codesOf(statement), ['column_not_taken']);
  assert.match(statement.warnings[0]?.message ?? '', /"Financing"/);
});

test('a file without an understood row is refused, and so is one without rows', async () => {
  const unreadable = (where: RegExp) => (error: unknown) =>
    error instanceof UnreadableStatement && where.test(error.where);
  await assert.rejects(
    read(`${HEAD},Profit\n1,EURUSD,9,0.1,${TIMES},1.1,1.2,5\n`),
    unreadable(/none of its 1 rows could be understood.*"9" is not a known type/),
  );
  await assert.rejects(read(`${HEAD},Profit\n`), unreadable(/has none/));
});

test('unreadable files are named, with a remedy', async () => {
  const old = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
  await assert.rejects(read(old), /\(\.xls\).*save it as \.xlsx/);
  await assert.rejects(read('%PDF-1.4 hello'), /PDF.*HTML or xlsx/);
});

test('without open times there are closing deals only, with their open price', async () => {
  const statement = await read(
    'Symbol,Opening direction,Closing time (UTC+0),Entry price,Closing price,Closing Quantity,Net €,Balance €\n' +
      'BTCUSD,Buy,22/03/2026 14:47:44.584,65377.26,66783.49,0.09 Lots,104.73,10 104.73\n',
  );
  assert.deepEqual(
    statement.deals.map((d) => [d.entry, d.type, d.positionPrice, d.price, d.profit, d.timeMs]),
    [
      [
        ...['DEAL_ENTRY_OUT', 'DEAL_TYPE_SELL', 65377.26, 66783.49, 1_047_300],
        Date.UTC(2026, 2, 22, 14, 47, 44, 584),
      ],
    ],
  );
  assert.equal(statement.stated.currency, 'EUR');
  assert.deepEqual(codesOf(statement), ['open_times_unknown']);
});

test('parts of one position have one ticket; the first to close keeps it in a longer file', async () => {
  const part = (close: string, lots: number, profit: number) =>
    `7,EURUSD,buy,${lots},2026-05-04 09:00:00,2026-05-04 ${close},1.1,1.102,${profit}\n`;
  const [first, second, third] = [
    part('10:00:00', 0.1, 20),
    part('11:00:00', 0.2, 41),
    part('12:00:00', 0.3, 62),
  ];
  const short = await read(`${HEAD},Profit\n${second}${first}`);
  const long = await read(`${HEAD},Profit\n${third}${second}${first}${second}`);
  assert.deepEqual(
    exitsOf(short).map(({ id }) => id),
    ['7-out', '7.2-out'],
  );
  assert.deepEqual(
    long.deals.filter(({ positionId }) => positionId !== '7.3'),
    short.deals,
  );
  assert.deepEqual(codesOf(long), ['duplicate_deal']);
});

test("times with a zone are converted to the broker's clock, others stay", async () => {
  const clock = { zone: 'America/New_York', shiftHours: 7 };
  const listed = (open: string, close: string) =>
    `Ticket,Symbol,Type,Lots,${open},Open Price,Close Price,Profit\n1,EURUSD,buy,0.1,${close},1.1,1.2,5\n`;
  const opened = async (text: string) => (await read(text, { clock })).deals[0]?.timeMs;
  const plain = listed('Open Time,Close Time', '2026-06-01 09:00:00,2026-06-01 10:00:00');
  assert.equal(await opened(plain), Date.UTC(2026, 5, 1, 9));
  const zoned = listed(
    'Open Time (UTC+2),Close Time (UTC+2)',
    '2026-06-01 09:00:00,2026-06-01 10:00:00',
  );
  assert.equal(await opened(zoned), Date.UTC(2026, 5, 1, 10));
  const utc = listed(
    'opening_time_utc,closing_time_utc',
    '2026-01-05T09:00:00,2026-01-05T10:00:00',
  );
  assert.equal(await opened(utc), Date.UTC(2026, 0, 5, 11));
  const iso = listed('Open Time,Close Time', '2026-06-01T09:00:00-04:00,2026-06-01T10:00:00-04:00');
  assert.equal(await opened(iso), Date.UTC(2026, 5, 1, 16));
  const late = listed(
    'Open Time,Close Time',
    '06/01/2026 12:30:00 AM UTC,06/01/2026 01:00:00 PM UTC',
  );
  assert.equal(await opened(late), Date.UTC(2026, 5, 1, 3, 30));
});

test('history_deals_get reads as csv: tickets, milliseconds, numbers of types', async () => {
  const { kind, deals, warnings } = await read(
    'ticket;order;time;time_msc;type;entry;magic;position_id;reason;volume;price;commission;swap;profit;fee;symbol;comment;external_id\n' +
      '10;0;1777000000;1777000000123;2;0;0;0;0;0.0;0.0;0.0;0.0;1000.0;0.0;;in;\n' +
      '11;21;1777000001;1777000001250;0;0;5;21;0;0.01;0.7982;-0.1;0.0;0.0;0.0;USDCHF;;\n' +
      '12;22;1777000002;1777000002500;1;1;0;21;0;0.01;0.79811;0.0;-0.2;-0.11;-0.05;USDCHF;;\n',
  );
  assert.equal(kind, 'deals');
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    deals.map((d) => [d.id, d.type, d.entry, d.positionId, d.timeMs, d.profit, d.commission]),
    [
      ['10', 'DEAL_TYPE_BALANCE', undefined, undefined, 1_777_000_000_123, 10_000_000, 0],
      ['11', 'DEAL_TYPE_BUY', 'DEAL_ENTRY_IN', '21', 1_777_000_001_250, 0, -1_000],
      ['12', 'DEAL_TYPE_SELL', 'DEAL_ENTRY_OUT', '21', 1_777_000_002_500, -1_100, 0],
    ],
  );
  assert.equal(deals[2]?.fee, -500);
});

test('trades that are still open are open positions, whether below the closed ones or among them', async () => {
  const { openPositions, deals } = await read(
    'Ticket,Open Date,Close Date,Symbol,Action,Units/Lots,Open Price,Close Price,Profit\n' +
      '1,01/20/2026 09:00,01/20/2026 10:00,EURUSD,Buy,0.1,1.1,1.2,5\n' +
      'Open Trades\n' +
      'Ticket,Open Date,Symbol,Action,Units/Lots,Open Price,Profit\n' +
      '2,01/21/2026 09:00,EURUSD,Sell,0.2,1.3,-4\n',
  );
  assert.equal(deals.length, 2);
  assert.deepEqual(
    openPositions.map((p) => [p.positionId, p.type, p.volume, p.openPrice, p.profit]),
    [['2', 'DEAL_TYPE_SELL', 20_000_000, 1.3, -40_000]],
  );
});

test('rows of sums, and pending orders, are no trades', async () => {
  const statement = await read(
    `${HEAD},Profit\n${row(1, '20')}2,EURUSD,buy limit,0.1,${TIMES},1.1,1.1,0\nTotal,,,0.2,,,,,20\n,,,,,,,,20\n`,
  );
  assert.equal(statement.deals.length, 2);
  assert.deepEqual(statement.warnings, []);
});
