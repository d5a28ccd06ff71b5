import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../scripts/sample-statements/random.ts';
import { demoStatements } from '../scripts/sample-statements/samples.ts';
import { zipOf } from '../scripts/sample-statements/zip.ts';
import { readStatement } from '../src/statements/read-statement.ts';
import { UnreadableStatement } from '../src/statements/unreadable-statement.ts';

const read = (content: string | Uint8Array) =>
  readStatement(Buffer.from(content as string), { moneyDigits: 4 });
const demo = demoStatements();

test('our own export of deals reads back, including quoted comments', async () => {
  const { deals } = await read(
    'id,positionId,type,entry,symbol,volume,price,profit,swap,commission,fee,brokerTime,comment\n' +
      '1,,DEAL_TYPE_BALANCE,,,,,1000,0,0,0,2026-05-04 09:00:00.000,"in, ""first"""\n' +
      '2,9,DEAL_TYPE_BUY,DEAL_ENTRY_IN,EURUSD,0.1,1.1,0,0,-0.35,0,2026-05-04 09:00:00.250,\n' +
      '3,9,DEAL_TYPE_SELL,DEAL_ENTRY_OUT,EURUSD,0.1,1.102,20,-0.1,-0.35,-0.05,2026-05-04 10:00:00.000,"a\nb"\n',
  );
  assert.deepEqual(
    deals.map((d) => [d.id, d.positionId, d.volume, d.profit, d.comment]),
    [
      ['1', undefined, 0, 10_000_000, 'in, "first"'],
      ['2', '9', 10_000_000, 0, undefined],
      ['3', '9', 10_000_000, 200_000, 'a b'],
    ],
  );
  assert.equal(deals[1]?.timeMs, Date.UTC(2026, 4, 4, 9, 0, 0, 250));
});

test('a list of deals from the terminal finds positions by order and fit', async () => {
  const { kind, deals } = await read(
    '\ufeffTime;Deal;Symbol;Type;Direction;Volume;Price;Order;Commission;Fee;Swap;Profit;Balance;Comment\r\n' +
      '2026.05.04 09:00:00;1;;balance;;;;;0,00;0,00;0,00;1.000,50;1.000,50;\r\n' +
      '2026.05.04 09:01:00;2;EURUSD;buy;in;0,10;1,10000;77;-0,35;0,00;0,00;0,00;1.000,15;\r\n' +
      '2026.05.04 09:02:00;3;EURUSD;sell;out;0,10;1,10200;78;-0,35;0,00;0,00;20,00;1.019,80;\r\n',
  );
  assert.equal(kind, 'deals');
  assert.deepEqual(
    deals.map((d) => [d.id, d.positionId, d.profit, d.price]),
    [
      ['1', undefined, 10_005_000, undefined],
      ['2', '77', 0, 1.1],
      ['3', '77', 200_000, 1.102],
    ],
  );
});

test('journals: two columns called Price, American dates, deposits, tabs', async () => {
  const ftmo = await read(
    'Ticket;Open;Type;Volume;Symbol;Price;SL;TP;Close;Price;Swap;Commissions;Profit;Pips\n' +
      '5;"2026-02-27 04:58:54";sell;0.01;LTCUSD;106.33;0;0;"2026-02-27 04:59:02";106.48;0;-0.5;3;-0.15\n',
  );
  assert.deepEqual(
    ftmo.deals.map((d) => [d.id, d.type, d.price, d.commission]),
    [
      ['5-in', 'DEAL_TYPE_SELL', 106.33, 0],
      ['5-out', 'DEAL_TYPE_BUY', 106.48, -5_000],
    ],
  );
  const journal = await read(
    'Open Date\tClose Date\tSymbol\tAction\tLots\tOpen Price\tClose Price\tCommission\tSwap\tProfit\n' +
      '02/03/2026 10:00\t02/27/2026 11:00\tEURUSD\tBuy\t0.10\t1.1\t1.2\t0\t0\t1,000.00\n' +
      '02/01/2026 10:00\t\t\tDeposit\t\t\t\t\t\t500.00\n',
  ).catch((error: unknown) => error);
  assert.ok(!(journal instanceof Error), String(journal));
  const { deals, warnings } = journal as Awaited<ReturnType<typeof read>>;
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    deals.map((d) => [d.type, d.timeMs, d.profit]),
    [
      ['DEAL_TYPE_BALANCE', Date.UTC(2026, 1, 1, 10), 5_000_000],
      ['DEAL_TYPE_BUY', Date.UTC(2026, 1, 3, 10), 0],
      ['DEAL_TYPE_SELL', Date.UTC(2026, 1, 27, 11), 10_000_000],
    ],
  );
});

test('json deals: our words and the numbers of the terminal', async () => {
  const numbers = {
    ticket: 7,
    time: 1_777_000_000,
    time_msc: 1_777_000_000_123,
    type: 1,
    entry: 3,
  };
  const amounts = { volume: 0.1, price: 1.1, profit: -2.5, swap: 0, commission: 0, fee: 0 };
  const named = { id: 'a', type: 'DEAL_TYPE_CREDIT', profit: 5, brokerTime: '2026-05-04 09:00:00' };
  const { deals } = await read(
    JSON.stringify({
      account: { x: '}{"' },
      deals: [{ ...numbers, ...amounts, position_id: 4, symbol: 'X"}' }, named],
    }),
  );
  assert.deepEqual(
    deals.map((d) => [d.id, d.entry, d.positionId, d.timeMs, d.profit, d.symbol]),
    [
      ['7', 'DEAL_ENTRY_OUT_BY', '4', 1_777_000_000_123, -25_000, 'X"}'],
      ['a', undefined, undefined, Date.UTC(2026, 4, 4, 9), 50_000, undefined],
    ].sort((a, b) => Number(a[3]) - Number(b[3])),
  );
});

const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61',
  'hex',
);
const REFUSED: [name: string, content: string | Uint8Array, where: RegExp][] = [
  ['nothing', '', /empty/],
  ['blanks', ' \n\n', /blank/],
  ['a picture', PNG, /neither text nor a workbook/],
  [
    'another page',
    '<html><body><table><tr><td>Menu</td></tr></table></body></html>',
    /the page has 1 rows; line 1 reads: Menu/,
  ],
  ['a page cut off', '<html><body><table><tr><td>Menu', /ends in line 1/],
  ['an image in markup', '<svg xmlns="x"></svg>', /not an html page/],
  ['prose', 'Dear sir,\nplease find attached', /line 1 reads/],
  [
    'orders in csv',
    'Date,Order ID,Pair,Type,Side,Lot Size,Price,Status\n',
    /orders hold no results/,
  ],
  ['orders in json', '[{"ticket": 1, "time_setup": 1, "type": 0}]', /orders hold no results/],
  ['an empty list', '[]', /empty/],
  ['json cut off', '[{"id": "1", "type"', /line 1, after 0 records/],
  ['a zip that is cut off', zipOf({ a: 'x' }).subarray(0, 40), /cut off/],
  ['a zip of something else', zipOf({ 'a.txt': 'x' }), /holds no sheets/],
  [
    'a workbook of something else',
    zipOf({ 'xl/worksheets/sheet1.xml': '<worksheet/>' }),
    /1 sheets with 0 rows/,
  ],
  [
    'a zip bomb',
    zipOf({ 'xl/worksheets/sheet1.xml': Buffer.alloc(40_000_000, 0x20) }),
    /sheet1.xml has more/,
  ],
  [
    'more entries than any workbook',
    zipOf(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`f${index}`, '']))),
    /it has 1001/,
  ],
];

for (const [name, content, where] of REFUSED)
  test(`${name} is refused, with what was expected and where it failed`, async () => {
    await assert.rejects(read(content), (error) => {
      assert.ok(error instanceof UnreadableStatement, String(error));
      assert.notEqual(error.expected, '');
      assert.match(error.where, where);
      return true;
    });
  });

test('a zip with false sizes is stopped by its inflated contents', async () => {
  const bomb = zipOf({ 'xl/worksheets/sheet1.xml': Buffer.alloc(40_000_000, 0x20) });
  const directory = bomb.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  bomb.writeUInt32LE(1000, directory + 24);
  await assert.rejects(read(bomb), UnreadableStatement);
});

/**
 * Reads damaged bytes: a statement or UnreadableStatement, nothing else. Answers whether it was
 * read.
 */
async function survives(bytes: Uint8Array, what: string): Promise<boolean> {
  try {
    const { deals } = await readStatement(bytes, { moneyDigits: 4 });
    for (const { profit, swap, commission, fee, volume, timeMs } of deals)
      for (const amount of [profit, swap, commission, fee, volume, timeMs])
        assert.ok(Number.isSafeInteger(amount), what);
    return true;
  } catch (error) {
    if (error instanceof UnreadableStatement) return false;
    throw new Error(`${what}: ${String(error)}`, { cause: error });
  }
}

const SMALL_CSV = Buffer.from(
  'Ticket;Open;Type;Volume;Symbol;Price;Close;Price;Swap;Commissions;Profit\n' +
    '5;2026-02-27 04:58:54;sell;0.01;LTCUSD;106.33;2026-02-27 04:59:02;106.48;0;-0.5;3\n'.repeat(
      40,
    ),
);
const SMALL_JSON = Buffer.from(
  JSON.stringify(
    Array.from({ length: 40 }, (_, index) => ({
      ...{
        id: `${index}`,
        type: 'DEAL_TYPE_BALANCE',
        profit: 1,
        brokerTime: '2026-05-04 09:00:00',
      },
    })),
  ),
);
const DAMAGED: Record<string, Buffer> = { ...demo, csv: SMALL_CSV, json: SMALL_JSON };

for (const [name, whole] of Object.entries(DAMAGED)) {
  test(`${name} cut off anywhere is read or refused`, async () => {
    const steps = 24;
    for (let step = 1; step < steps; step++) {
      const length = Math.floor((whole.length * step) / steps) + (step % 2);
      const wasRead = await survives(whole.subarray(0, length), `${name} cut at ${length}`);
      if (/htm|xlsx/.test(name)) assert.equal(wasRead, false, `${name} cut at ${length}`);
    }
  });

  test(`${name} with damaged bytes is read or refused`, async () => {
    const random = createRandom(99);
    for (let round = 0; round < 24; round++) {
      const bytes = Buffer.from(whole);
      for (let hit = 0; hit < 1 + round * 4; hit++)
        bytes[random.whole(0, bytes.length - 1)] = random.whole(0, 255);
      await survives(bytes, `${name} round ${round}`);
    }
  });
}

test('a damaged row of a report is reported, and so is the sum that no longer fits', async () => {
  const page = demo['p4-statement.htm']?.toString('latin1') ?? '';
  const broken = page.replace(/<td>to #(\d+)<\/td>/, '').replace(/<td>buy<\/td>/, '<td>bvy</td>');
  const { warnings } = await read(broken);
  const codes = warnings.map(({ code }) => code);
  assert.ok(codes.includes('row_not_understood'));
  assert.ok(codes.includes('net_profit_differs'));
  assert.ok(codes.includes('trade_count_differs'));
});

test('progress is reported from little to all', async () => {
  const shares: number[] = [];
  const bytes = demo['p4-statement.htm'] ?? Buffer.alloc(0);
  await readStatement(bytes, { moneyDigits: 4, onProgress: (share) => shares.push(share) });
  assert.equal(shares.at(-1), 1);
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  );
});
