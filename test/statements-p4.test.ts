import assert from 'node:assert/strict';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { readStatement } from '../src/statements/read-statement.ts';
import { balanceRow, p4Page, summaryRow, testerPage, ticketRow } from './fixtures/statements/p4.ts';

const read = (page: string | Uint8Array) =>
  readStatement(Buffer.from(page as string), { moneyDigits: 4 });

const BUY = '11 | 2026.03.02 10:00:00 | buy | 0.50 | eurusd | 1.10000 | 0.00000 | 0.00000';

test('a ticket becomes an entry without money and an exit with all of it', async () => {
  const closed = [
    ticketRow(`${BUY} | 2026.03.02 12:00:00 | 1.10200 | -3.00 | -0.40 | 1.25 | 100.00`),
  ];
  const { deals, stated, warnings } = await read(p4Page({ closed, size: 'Volume' }));
  assert.deepEqual(
    deals.map((d) => [d.id, d.positionId, d.type, d.entry, d.price, d.volume]),
    [
      ['11-in', '11', 'DEAL_TYPE_BUY', 'DEAL_ENTRY_IN', 1.1, 50_000_000],
      ['11-out', '11', 'DEAL_TYPE_SELL', 'DEAL_ENTRY_OUT', 1.102, 50_000_000],
    ],
  );
  const [entry, exit] = deals;
  assert.deepEqual([entry?.profit, entry?.commission, entry?.swap, entry?.fee], [0, 0, 0, 0]);
  assert.deepEqual(
    [exit?.profit, exit?.commission, exit?.swap, exit?.fee],
    [1_000_000, -30_000, 12_500, -4_000],
  );
  assert.deepEqual([stated.login, stated.broker, stated.leverage], ['7', 'Quay & Sons', 200]);
  assert.deepEqual(warnings, []);
});

test('balance operations, partial closes and hedged rests keep their comments; pending orders go', async () => {
  const closed = [
    balanceRow('1', '2026.03.01 00:00:00', 'Deposit: bank', '1 000.00'),
    balanceRow('2', '2026.03.02 00:00:00', 'Interest', '-0.03'),
    balanceRow('3', '2026.12.31 12:00:00', 'Summary balance result 2026', '0.00'),
    ticketRow(`${BUY} | 2026.03.02 12:00:00 | 1.10200 | 0.00 | 0.00 | 0.00 | 100.00`, 'to #12'),
    ticketRow(
      '12 | 2026.03.02 10:00:00 | buy | 0.00 | eurusd | 1.10000 | 0 | 0 | 2026.03.02 13:00:00 | 1.1 | 0 | 0 | 0 | 0.00',
      'close hedge by #11',
    ),
    ticketRow(
      '13 | 2026.03.02 10:00:00 | buy | 0.01 | profit | 0 | 0 | 0 | 2026.03.03 00:00:00 | 0 | -1 | 0 | 0 | -4.50',
      'Summary trade result:',
    ),
    ticketRow(
      '14 | 2026.03.02 10:00:00 | sell limit | 0.01 | gbpusd | 1 | 0 | 0 | 2026.03.03 00:00:00 | 1 | cancelled',
    ),
  ];
  const { deals, warnings } = await read(p4Page({ closed }));
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    deals.map(({ id }) => id).sort(),
    ['1', '2', '3', '11-in', '11-out', '12-in', '12-out', '13-in', '13-out'].sort(),
  );
  const comments = new Map(deals.map(({ id, comment }) => [id, comment]));
  assert.equal(comments.get('1'), 'Deposit: bank');
  assert.equal(comments.get('12-out'), 'close hedge by #11');
  assert.equal(deals.find(({ id }) => id === '13-out')?.symbol, 'profit');
});

test('a stated balance beyond the rows is reported as carried in, not invented as a deal', async () => {
  const closed = [ticketRow(`${BUY} | 2026.03.02 12:00:00 | 1.10200 | 0 | 0 | 0 | 1 380`)];
  const summary = [summaryRow('Balance', '7 365 602'), summaryRow('Closed Trade P/L', '1 380')];
  const statement = await read(p4Page({ currency: 'JPY', closed, summary: summary.join('') }));
  assert.equal(statement.deals.length, 2);
  assert.equal(statement.carriedInBalance, 73_642_220_000);
  assert.deepEqual(
    statement.warnings.map(({ code }) => code),
    ['balance_carried_in'],
  );
});

test('open trades are open positions and no deals', async () => {
  const open = [ticketRow(`${BUY} | &nbsp; | 1.10100 | -1.50 | 0.00 | 0.20 | 50.00`, 'from #10')];
  const { deals, openPositions } = await read(p4Page({ closed: [], open }));
  assert.deepEqual(deals, []);
  assert.deepEqual(
    openPositions.map((p) => [p.positionId, p.profit, p.swap, p.commission, p.currentPrice]),
    [['11', 500_000, 2_000, -15_000, 1.101]],
  );
});

test('decimal marks are decided by column: 1.234,50 and 1,234.50 and 1 234.50', async () => {
  const spellings = ['1.234,50', '1,234.50', '1 234.50', '1\u00a0234.50', "1'234.50"];
  for (const profit of spellings) {
    const price = profit.endsWith(',50') ? '1,10200' : '1.10200';
    const front = profit.endsWith(',50')
      ? BUY.replaceAll('.', ',').replaceAll('2026,03,02', '2026.03.02')
      : BUY;
    const other = front.replace('11 |', '12 |');
    const zero = profit.endsWith(',50') ? '0,00' : '0.00';
    const tail = (p: string) =>
      ` | 2026.03.02 12:00:00 | ${price} | ${zero} | ${zero} | ${zero} | ${p}`;
    const closed = [ticketRow(front + tail(profit)), ticketRow(other + tail(`\u2212${profit}`))];
    const { deals } = await read(p4Page({ closed }));
    const exits = deals.filter(({ entry }) => entry === 'DEAL_ENTRY_OUT');
    assert.deepEqual(
      exits.map((d) => [d.profit, d.price]),
      [
        [12_345_000, 1.102],
        [-12_345_000, 1.102],
      ],
      profit,
    );
  }
});

test('a row that is not understood gets a warning with its line and text', async () => {
  const closed = [
    ticketRow(`${BUY} | 2026.03.02 12:00:00 | 1.10200 | 0 | 0 | 0 | ten`),
    balanceRow('1', '2026.03.01 00:00:00', 'Deposit', '1 000.00'),
    ...Array.from({ length: 150 }, (_, index) =>
      ticketRow(
        `${index + 20} | 2026.13.02 10:00:00 | buy | 1 | x | 1 | 0 | 0 | 2026.03.02 12:00:00 | 1 | 0 | 0 | 0 | 1`,
      ),
    ),
  ];
  const { deals, warnings } = await read(p4Page({ closed }));
  assert.deepEqual(
    deals.map(({ id }) => id),
    ['1'],
  );
  assert.equal(warnings.filter(({ code }) => code === 'row_not_understood').length, 100);
  assert.match(
    warnings[0]?.message ?? '',
    /^Line 7 was left out: .*profit is unreadable: 11 \| 2026/,
  );
  assert.match(warnings.at(-1)?.message ?? '', /^51 more rows/);
});

const TESTERS = [
  {
    encoding: 'utf8',
    language: 'en',
    columns: '#|Time|Type|Order|Size|Price|S / L|T / P|Profit|Balance',
    figure: 'Figure',
  },
  {
    encoding: 'windows-1251',
    language: 'ru',
    columns: '№|Время|Тип|Ордер|Объем|Цена|S / L|T / P|Прибыль|Баланс',
    figure: 'Чистая прибыль',
  },
  {
    encoding: 'windows-1252',
    language: 'fr',
    columns: '#|Heure|Transaction|Ordre|Volume|Prix|S/L|T/P|Profit|Solde',
    figure: 'Dépôt espéré',
  },
  {
    encoding: 'gb18030',
    language: 'zh',
    columns: '#|时间|类型|订单|手数|价格|止损|获利|获利|余额',
    figure: '总净盈利',
  },
];
const EVENTS = [
  '1 | 2026.01.02 10:00 | buy stop | 1 | 1.00 | 1.10000 | 0 | 0 | ',
  '2 | 2026.01.02 11:00 | buy | 1 | 1.00 | 1.10000 | 0 | 0 | ',
  '3 | 2026.01.02 11:30 | modify | 1 | 1.00 | 1.10000 | 1.1 | 0 | ',
  '4 | 2026.01.02 12:00 | close | 1 | 0.30 | 1.10100 | 0 | 0 | 30.00 | 1030.00',
  '5 | 2026.01.02 12:00 | buy | 2 | 0.70 | 1.10000 | 0 | 0 | ',
  '6 | 2026.01.03 00:00 | swap close | 2 | 0.70 | 1.10100 | 0 | 0 | 69.99 | 1100.00',
  '7 | 2026.01.03 00:00 | swap open | 3 | 0.70 | 1.10101 | 0 | 0 | ',
  '8 | 2026.01.03 01:00 | s/l | 3 | 0.70 | 1.10001 | 0 | 0 | -70.00 | 1030.00',
  '9 | 2026.01.03 01:00 | delete | 4 | 0.10 | 1.20000 | 0 | 0 | ',
];

for (const { encoding, language, columns, figure } of TESTERS)
  test(`the p4 tester's report reads in ${encoding} (${language})`, async () => {
    const words = { columns: columns.split('|'), figure, symbol: figure };
    const page = testerPage(words, '1000.00', '30.00', EVENTS);
    const statement = await read(iconv.encode(page, encoding));
    assert.deepEqual([statement.kind, statement.language], ['p4-tester', language]);
    assert.deepEqual(statement.warnings, []);
    assert.equal(statement.stated.figures.total_trades, 3);
    assert.equal(statement.stated.figures.maximal_drawdown_pct, 0.1);
    const of = (id: string) => statement.deals.find((deal) => deal.id === id);
    // The rest of a partial close is as old as the order; the balance column settles lost cents.
    assert.equal(of('2')?.volume, 30_000_000);
    assert.equal(of('5')?.timeMs, of('2')?.timeMs);
    assert.equal(of('6')?.profit, 700_000);
    assert.equal(of('7')?.type, 'DEAL_TYPE_BUY');
    assert.equal(of('8')?.profit, -700_000);
    assert.equal(of('0')?.profit, 10_000_000);
  });

test('an order that the p4 tester opens where another was closed has an age of its own', async () => {
  const columns = '#|Time|Type|Order|Size|Price|S / L|T / P|Profit|Balance'.split('|');
  const page = testerPage({ columns, figure: 'Figure', symbol: 'Symbol' }, '1000.00', '30.00', [
    '1 | 2026.01.02 10:00 | buy | 1 | 1.00 | 1.10000 | 0 | 0 | ',
    '2 | 2026.01.02 11:00 | t/p | 1 | 1.00 | 1.10100 | 0 | 0 | 100.00 | 1100.00',
    '3 | 2026.01.02 11:00 | buy limit | 2 | 1.00 | 1.10000 | 0 | 0 | ',
    '4 | 2026.01.02 15:00 | buy | 2 | 1.00 | 1.10000 | 0 | 0 | ',
    '5 | 2026.01.02 16:00 | s/l | 2 | 1.00 | 1.09930 | 0 | 0 | -70.00 | 1030.00',
  ]);
  const { deals } = await read(page);
  const [first, second] = ['1', '4'].map((id) => deals.find((deal) => deal.id === id)?.timeMs);
  assert.equal((second ?? 0) - (first ?? 0), 5 * 3_600_000);
});

test('stops and targets are kept, and the magic number is no part of the comment', async () => {
  const row =
    '11 | 2026.03.02 10:00:00 | buy | 0.50 | eurusd | 1.10000 | 1.09000 | 1.12000 | 2026.03.02 12:00:00 | 1.10200 | 0.00 | 0.00 | 0.00 | 100.00';
  const titles = ['#30001 Breakout', 'to #13', '#30001 '];
  const closed = titles.map((title, place) => ticketRow(row.replace('11', `${11 + place}`), title));
  const { deals } = await read(p4Page({ closed, size: 'Volume' }));
  assert.deepEqual(
    deals
      .filter(({ entry }) => entry === 'DEAL_ENTRY_OUT')
      .map(({ magic, comment, stopLoss, takeProfit }) => [magic, comment, stopLoss, takeProfit]),
    [
      [30001, 'Breakout', 1.09, 1.12],
      [undefined, 'to #13', 1.09, 1.12],
      [30001, undefined, 1.09, 1.12],
    ],
  );
});

test('stops and targets of tables with such columns are kept', async () => {
  const { deals } = await read(
    'Ticket,Open Time,Type,Volume,Symbol,Open Price,S/L,T/P,Close Time,Close Price,Profit,Magic Number\n' +
      '5,2026.03.02 10:00:00,buy,0.5,EURUSD,1.1,1.09,0,2026.03.02 12:00:00,1.102,100,77\n',
  );
  assert.deepEqual(
    deals.map(({ magic, stopLoss, takeProfit }) => [magic, stopLoss, takeProfit]),
    [
      [77, 1.09, undefined],
      [77, 1.09, undefined],
    ],
  );
  // The names that p5 servers have for them.
  const list = await read(
    'Deal,Time,Action,Entry,Symbol,Volume,Price,Profit,PositionID,ExpertID,PriceSL,PriceTP\n' +
      '1,2026.03.02 10:00:00,0,0,EURUSD,0.5,1.1,0,5,77,1.09,1.12\n' +
      '2,2026.03.02 12:00:00,1,1,EURUSD,0.5,1.102,100,5,0,0,0\n',
  );
  assert.deepEqual(
    list.deals.map(({ magic, stopLoss, takeProfit }) => [magic, stopLoss, takeProfit]),
    [
      [77, 1.09, 1.12],
      [0, undefined, undefined],
    ],
  );
});
