import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EURUSD } from '../scripts/sample-statements/market.ts';
import { p5HistoryPage, p5HistoryWorkbook } from '../scripts/sample-statements/p5-report.ts';
import { p5TesterPage } from '../scripts/sample-statements/p5-tester.ts';
import { P5_WORDS } from '../scripts/sample-statements/p5-words.ts';
import { HARD_SPACED } from '../scripts/sample-statements/print.ts';
import {
  demoStatements,
  hedgingSample,
  NETTING_ACCOUNT,
  nettingSample,
  P5_ACCOUNT,
} from '../scripts/sample-statements/samples.ts';
import type { Fill, Position, Sample } from '../scripts/sample-statements/trading.ts';
import { isTradeDeal, moneyOf } from '../src/domain/deal.ts';
import { toUnits } from '../src/domain/money.ts';
import { reconcile } from '../src/statements/outcome/reconcile.ts';
import { readStatement } from '../src/statements/read-statement.ts';

const read = (bytes: Uint8Array) => readStatement(bytes, { moneyDigits: 4 });
const sample = hedgingSample();

for (const language of Object.keys(P5_WORDS))
  test(`a history page reads alike in ${language}`, async () => {
    const page = p5HistoryPage(sample, { ...P5_ACCOUNT, language, look: HARD_SPACED });
    const statement = await read(page);
    assert.equal(statement.language, language);
    assert.deepEqual(statement.warnings, []);
    assertSample(statement.deals, sample);
    assert.equal(statement.openPositions.length, 4);
    const { login, name, broker, currency, leverage, marginMode } = statement.stated;
    assert.deepEqual(
      { login, name, broker, currency, leverage, marginMode },
      {
        ...{ login: '200001', currency: 'USD', broker: 'Plimsoll Sample Broker' },
        ...{ name: 'Harbour Swing', leverage: undefined },
        marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
      },
    );
  });

type Deals = Awaited<ReturnType<typeof read>>['deals'];

function assertSample(deals: Deals, expected: Sample): void {
  const trades = deals.filter(isTradeDeal);
  assert.deepEqual(
    trades.map((d) => [d.positionId, d.timeMs, d.price, d.profit]),
    expected.fills.map((f) => [String(f.positionId), f.timeMs, f.price, toUnits(f.profit, 4)]),
  );
  const listed = deals.reduce((sum, deal) => sum + moneyOf(deal), 0);
  const made = [
    ...expected.operations.map(({ amount }) => amount),
    ...expected.fills.flatMap((f) => [f.profit, f.swap, f.commission]),
  ];
  assert.equal(
    listed,
    made.reduce((sum, amount) => sum + toUnits(amount, 4), 0),
  );
}

test('a workbook gives the same deals as the page', async () => {
  const [page, workbook] = [
    await read(p5HistoryPage(sample, P5_ACCOUNT)),
    await read(p5HistoryWorkbook(sample, P5_ACCOUNT)),
  ];
  assert.deepEqual(workbook.deals, page.deals);
  assert.deepEqual(workbook.openPositions, page.openPositions);
  assert.equal(workbook.stated.figures.total_trades, page.stated.figures.total_trades);
  assert.equal(page.stated.figures.margin_level_pct, workbook.stated.figures.margin_level_pct);
});

test('UTF-16 without a mark, UTF-8 and a stray last byte read alike', async () => {
  const page = p5HistoryPage(sample, P5_ACCOUNT);
  const { deals } = await read(page);
  const utf8 = Buffer.from(page.toString('utf16le'));
  for (const bytes of [page.subarray(2), utf8, Buffer.concat([page, Buffer.from([0x0a])])])
    assert.deepEqual((await read(bytes)).deals, deals);
});

test('the layout of 2016 has no positions and no fee; exits find their positions', async () => {
  const statement = await read(p5HistoryPage(sample, { ...P5_ACCOUNT, old: true }));
  assert.equal(statement.stated.leverage, 100);
  const net = statement.deals.filter(isTradeDeal).reduce((sum, deal) => sum + moneyOf(deal), 0);
  assert.equal(net, statement.stated.netProfit);
  const held = new Map<string, number>();
  for (const { positionId = '', volume, type } of statement.deals.filter(isTradeDeal))
    held.set(
      positionId,
      (held.get(positionId) ?? 0) + (type === 'DEAL_TYPE_BUY' ? volume : -volume),
    );
  const open = statement.openPositions.map(({ positionId }) => positionId).sort();
  const left = [...held].filter(([, volume]) => volume !== 0).map(([id]) => id);
  assert.deepEqual(left.sort(), open);
});

test('stops and targets are those of the orders that opened positions', async () => {
  const tested = { ...sample, operations: sample.operations.slice(0, 1) };
  const pages = [
    p5HistoryPage(sample, { ...P5_ACCOUNT, old: true }),
    p5TesterPage(tested, P5_ACCOUNT),
  ];
  const positions = new Map(
    sample.positions.map((position) => [position.fills[0]?.order, position]),
  );
  for (const page of pages) {
    const { deals } = await read(page);
    const entries = deals.filter(({ entry }) => entry === 'DEAL_ENTRY_IN');
    assert.equal(entries.length, positions.size);
    for (const { positionId, stopLoss, takeProfit } of entries) {
      const planned = positions.get(Number(positionId));
      assert.deepEqual([stopLoss, takeProfit], [planned?.stop, planned?.target]);
    }
  }
});

test('a netting position keeps its number through additions and reversals', async () => {
  const netting = nettingSample();
  const statement = await read(p5HistoryPage(netting, NETTING_ACCOUNT));
  assert.deepEqual(statement.warnings, []);
  assertSample(statement.deals, netting);
  assert.ok(statement.deals.some(({ entry }) => entry === 'DEAL_ENTRY_INOUT'));
  for (const deal of statement.deals)
    if (deal.entry === 'DEAL_ENTRY_INOUT')
      assert.ok((deal.volumeClosed ?? 0) > 0 && (deal.volumeClosed ?? 0) < deal.volume);
});

test('a deal that turns a position tells that the account is netted', async () => {
  const page = p5HistoryPage(nettingSample(), NETTING_ACCOUNT).toString('utf16le');
  const [before = '', after] = page.split(',&nbsp;Netting)');
  const { stated } = await read(Buffer.from(`${before})${after}`, 'utf16le'));
  assert.equal(stated.login, NETTING_ACCOUNT.login);
  assert.equal(stated.marginMode, 'ACCOUNT_MARGIN_MODE_RETAIL_NETTING');
});

/** Two opposite positions closed by each other, and one whose entry lies before the report. */
function closeBySample(): Sample {
  const timeMs = Date.UTC(2026, 4, 4, 9);
  const fill = (id: number, order: number, side: 'buy' | 'sell', more: Partial<Fill>): Fill => ({
    ...{ timeMs, order, positionId: id, symbol: EURUSD, side, entry: 'in', lots: 1, price: 1.1 },
    ...{ profit: 0, swap: 0, commission: 0, comment: '' },
    ...more,
  });
  const out = { entry: 'out by', timeMs: timeMs + 60_000, lots: 0.4 } as const;
  const last = { entry: 'out', timeMs: timeMs + 120_000, lots: 0.6, price: 1.101 } as const;
  const position = (id: number, side: 'buy' | 'sell', lots: number, fills: Fill[]): Position => ({
    ...{ id, symbol: EURUSD, side, openTimeMs: timeMs, openPrice: fills[0]?.price ?? 0, lots },
    ...{ lotsLeft: 0, stop: 0, target: 0, comment: '', fills },
  });
  const first = [
    fill(11, 11, 'buy', {}),
    fill(11, 13, 'sell', { ...out, price: 1.102, profit: 80 }),
    fill(11, 14, 'sell', { ...last, profit: 60 }),
  ];
  const second = [
    fill(12, 12, 'sell', { lots: 0.4, price: 1.102 }),
    fill(12, 13, 'buy', { ...out, price: 1.102 }),
  ];
  const lost = fill(5, 15, 'sell', { ...last, timeMs: timeMs + 180_000, lots: 2, profit: -7 });
  return {
    fills: [...first, ...second, lost].sort((a, b) => a.timeMs - b.timeMs || a.order - b.order),
    positions: [position(11, 'buy', 1, first), position(12, 'sell', 0.4, second)],
    operations: [{ timeMs: timeMs - 1000, amount: 1000, type: 'balance', comment: 'in' }],
    ...{ endMs: timeMs + 240_000, last: new Map() },
  };
}

test('close-by exits go to both positions; an exit without an entry is reported', async () => {
  const { deals, warnings } = await read(p5HistoryPage(closeBySample(), P5_ACCOUNT));
  const exits = deals.filter(({ entry }) => entry !== undefined && entry !== 'DEAL_ENTRY_IN');
  assert.deepEqual(
    exits.map((d) => [d.entry, d.positionId, d.profit]),
    [
      ['DEAL_ENTRY_OUT_BY', '11', 800_000],
      ['DEAL_ENTRY_OUT_BY', '12', 0],
      ['DEAL_ENTRY_OUT', '11', 600_000],
      ['DEAL_ENTRY_OUT', '15', -70_000],
    ],
  );
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['entry_not_listed'],
  );
});

test('the demo statements are those of the script, without a warning or a difference', async () => {
  const folder = join(import.meta.dirname, '../src/demo/statements');
  for (const [name, bytes] of Object.entries(demoStatements())) {
    assert.ok(bytes.length < 300_000, name);
    const stored = readFileSync(join(folder, name));
    const [made, kept] = [await read(bytes), await read(stored)];
    assert.deepEqual(kept, made, name);
    assert.deepEqual(kept.warnings, [], name);
    assert.deepEqual(reconcile(kept, 4).differences, [], name);
    assert.equal(kept.carriedInBalance, 0, name);
  }
});
