import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { p5HistoryRows, p5HistoryWorkbook } from '../scripts/sample-statements/p5-report.ts';
import { hedgingSample, P5_ACCOUNT } from '../scripts/sample-statements/samples.ts';
import { plainCells } from '../scripts/sample-statements/sheet.ts';
import { unzipped, zipOf } from '../scripts/sample-statements/zip.ts';
import { readStatement } from '../src/statements/read-statement.ts';

const read = (content: string | Uint8Array) =>
  readStatement(Buffer.from(content as string), { moneyDigits: 4 });

const TIME = /^(\d{4})\.(\d{2})\.(\d{2}) (\d{2}:\d{2}:\d{2})$/;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The rows of a report, as spreadsheets write them when they save it again. */
const rows = p5HistoryRows(hedgingSample(), P5_ACCOUNT).map(plainCells);
const quoted = (mark: string) =>
  rows.map((cells) => cells.map((cell) => `"${cell}"`).join(mark)).join('\r\n');

function odsOf(lines: readonly (readonly string[])[]): Buffer {
  const cell = (text: string): string => {
    const time = TIME.exec(text);
    if (time)
      return `<table:table-cell office:value-type="date" office:date-value="${time[1]}-${time[2]}-${time[3]}T${time[4]}"><text:p>x</text:p></table:table-cell>`;
    if (text === '') return '<table:table-cell table:number-columns-repeated="1"/>';
    return `<table:table-cell office:value-type="string"><text:p>${escaped(text)}</text:p></table:table-cell>`;
  };
  const body = lines.map(
    (cells) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`,
  );
  const end =
    '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>';
  return zipOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet><table:table>${body.join('')}${end}</table:table></office:spreadsheet></office:body></office:document-content>`,
  });
}

/** The workbook with its times as day numbers in a format of dates. */
function withDateCells(workbook: Uint8Array): Buffer {
  const files = Object.fromEntries(
    Object.entries(unzipped(workbook)).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString(),
    ]),
  );
  const strings = [...(files['xl/sharedStrings.xml'] ?? '').matchAll(/<t[^>]*>([^<]*)<\/t>/g)];
  const sheet = Object.keys(files).find((name) => name.startsWith('xl/worksheets/')) ?? '';
  files[sheet] = (files[sheet] ?? '').replace(/ t="s"><v>(\d+)<\/v>/g, (whole, index) => {
    const time = TIME.exec(strings[Number(index)]?.[1] ?? '');
    if (!time) return whole;
    const days = Date.parse(`${time[1]}-${time[2]}-${time[3]}T${time[4]}Z`) / 86_400_000 + 25_569;
    return ` s="1"><v>${days}</v>`;
  });
  files['xl/styles.xml'] =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="22"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>';
  return zipOf(files);
}

describe('a report that was saved again', () => {
  const saved: Record<string, string | Uint8Array> = {
    'as a csv with commas': quoted(','),
    'as a csv with semicolons': quoted(';'),
    'as a tsv': quoted('\t'),
    'as an ods workbook with cells of dates': odsOf(rows),
    'as an xlsx workbook with cells of dates': withDateCells(
      p5HistoryWorkbook(hedgingSample(), P5_ACCOUNT),
    ),
  };
  for (const [how, file] of Object.entries(saved))
    test(`${how} gives the same account, figures and deals`, async () => {
      const whole = await read(p5HistoryWorkbook(hedgingSample(), P5_ACCOUNT));
      const again = await read(file);
      assert.equal(again.kind, 'p5-history');
      const facts = ({ stated }: typeof again) => [stated.login, stated.currency, stated.balance];
      assert.deepEqual(facts(again), facts(whole));
      assert.deepEqual(again.deals, whole.deals);
      assert.deepEqual(again.warnings, whole.warnings);
    });
});

describe('a table', () => {
  const TRADE = { symbol: 'EURUSD', side: 'buy', volume: 0.1, profit: 12.5 };
  const trade = {
    ticket: 1,
    ...TRADE,
    openTime: '2026-05-04 09:00',
    closeTime: '2026-05-04 10:00',
  };

  test('of json reads equally as a list, within an object and as lines', async () => {
    const list = await read(JSON.stringify([trade]));
    assert.equal(list.deals.length, 2);
    assert.deepEqual((await read(JSON.stringify({ page: 1, trades: [trade] }))).deals, list.deals);
    const lines = `${JSON.stringify(trade)}\n${JSON.stringify({ ...trade, ticket: 2 })}\n`;
    assert.deepEqual((await read(lines)).deals.length, 4);
    await assert.rejects(read(JSON.stringify([trade]).slice(0, -1)), /line 1, after 1 records/);
  });

  test('has its headings cut at every capital, and times in two columns', async () => {
    const { deals } = await read(
      'Ticket;OpenDate;OpenTime;CloseDate;CloseTime;Symbol;Side;Volume;OpenPrice;ClosePrice;NetPnL\n' +
        '1;2026-05-04;09:00:30;2026-05-04;10:00;EURUSD;buy;0.1;1.1;1.2;5\n',
    );
    assert.deepEqual(
      deals.map(({ timeMs, price }) => [timeMs, price]),
      [
        [Date.UTC(2026, 4, 4, 9, 0, 30), 1.1],
        [Date.UTC(2026, 4, 4, 10), 1.2],
      ],
    );
  });

  test('has its entries recognised by their words, whatever the heading', async () => {
    const { deals } = await read(
      'deal,position,time,type,kind of thing,symbol,volume,price,profit\n' +
        '1,7,2026-05-04 09:00,buy,in,EURUSD,0.1,1.1,0\n2,7,2026-05-04 10:00,sell,out,EURUSD,0.1,1.2,5\n',
    );
    assert.deepEqual(
      deals.map(({ entry }) => entry),
      ['DEAL_ENTRY_IN', 'DEAL_ENTRY_OUT'],
    );
  });

  test('of an optimisation is refused by its name', async () => {
    const file =
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">' +
      '<Row><Cell><Data ss:Type="String">Pass</Data></Cell></Row></Workbook>';
    await assert.rejects(read(file), /optimisation of the tester/);
  });
});
