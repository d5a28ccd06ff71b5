import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p5HistoryPage } from '../scripts/sample-statements/p5-report.ts';
import {
  headlessPage,
  p5TradePage,
  sheetsWorkbook,
  since,
  unnumberedOpenPage,
} from '../scripts/sample-statements/p5-variants.ts';
import { hedgingSample, P5_ACCOUNT } from '../scripts/sample-statements/samples.ts';
import { readStatement } from '../src/statements/read-statement.ts';

const read = (bytes: Uint8Array) => readStatement(bytes, { moneyDigits: 4 });
const codesOf = ({ warnings }: Awaited<ReturnType<typeof read>>) =>
  warnings.map(({ code }) => code);
const sample = hedgingSample();
const whole = await read(p5HistoryPage(sample, P5_ACCOUNT));

test('a masked login is no login; the account is read anyway', async () => {
  for (const login of ['XXXXX01', '20****', 'hidden']) {
    const statement = await read(p5HistoryPage(sample, { ...P5_ACCOUNT, login }));
    assert.equal(statement.stated.login, undefined);
    assert.equal(statement.stated.currency, 'USD');
    assert.deepEqual(statement.deals, whole.deals);
    assert.deepEqual(statement.warnings, []);
  }
});

test('a history without its head gives its deals and figures, and says what was not checked', async () => {
  const statement = await read(headlessPage(sample, P5_ACCOUNT));
  assert.deepEqual(statement.deals, whole.deals);
  assert.equal(statement.stated.balance, whole.stated.balance);
  assert.deepEqual(statement.stated.figures, whole.stated.figures);
  assert.equal(statement.stated.login, undefined);
  assert.deepEqual(codesOf(statement), ['head_missing']);
});

test('the tables of a history may be in several sheets, in any order', async () => {
  const statement = await read(sheetsWorkbook(sample, P5_ACCOUNT));
  assert.equal(statement.kind, 'p5-history');
  assert.deepEqual(
    statement.deals.map((deal) => ({ ...deal, digits: 0 })),
    whole.deals.map((deal) => ({ ...deal, digits: 0 })),
  );
  assert.deepEqual(statement.stated.login, '200001');
  assert.equal(statement.stated.figures.total_trades, whole.stated.figures.total_trades);
  assert.deepEqual(statement.warnings, []);
});

test('a partly closed position is in both lists', async () => {
  const partly = sample.positions.filter(({ lotsLeft, fills }) => lotsLeft > 0 && fills.length > 1);
  assert.ok(partly.length > 0);
  const statement = await read(p5HistoryPage(sample, { ...P5_ACCOUNT, listsParts: true }));
  // Only the list of closed positions gives deals their stops and targets.
  const unplanned = { stopLoss: undefined, takeProfit: undefined };
  assert.deepEqual(
    statement.deals.map((deal) => ({ ...deal, ...unplanned })),
    whole.deals.map((deal) => ({ ...deal, ...unplanned })),
  );
  for (const { id, stop, target } of partly) {
    for (const deal of statement.deals.filter(({ positionId }) => positionId === String(id)))
      assert.deepEqual([deal.stopLoss, deal.takeProfit], [stop, target], String(id));
  }
  assert.deepEqual(statement.openPositions, whole.openPositions);
  assert.deepEqual(statement.warnings, []);
});

test('for positions opened before the report, the list has open time and price', async () => {
  const partMs = Date.UTC(2026, 7, 20, 12);
  const part = since(sample, partMs);
  const { deals, warnings } = await read(p5HistoryPage(part, P5_ACCOUNT));
  const earlier = part.positions.filter(({ openTimeMs }) => openTimeMs < partMs);
  assert.ok(earlier.length > 3);
  for (const { id, openTimeMs, openPrice, fills } of earlier) {
    const exits = deals.filter(({ positionId }) => positionId === String(id));
    const listed = fills.filter(({ entry, timeMs }) => entry !== 'in' && timeMs >= partMs);
    assert.equal(exits.length, listed.length, String(id));
    for (const exit of exits)
      assert.deepEqual([exit.positionTimeMs, exit.positionPrice], [openTimeMs, openPrice]);
  }
  assert.ok(!warnings.some(({ code }) => code === 'entry_not_listed'));
});

test('open positions of 2011 have no numbers: symbol, side, volume and price identify them', async () => {
  const { openPositions, warnings } = await read(unnumberedOpenPage(sample, P5_ACCOUNT));
  const known = whole.openPositions;
  assert.deepEqual(
    openPositions.map(({ positionId: _, ...position }) => position),
    known.map(({ positionId: _, ...position }) => position),
  );
  assert.deepEqual(
    warnings.filter(({ code }) => code.startsWith('row')),
    [],
  );
});

test('a trade report gives open positions; its pending orders cause no warning', async () => {
  for (const language of ['en', 'de', 'ja']) {
    const statement = await read(p5TradePage(sample, { ...P5_ACCOUNT, language }));
    assert.equal(statement.kind, 'p5-trade');
    assert.deepEqual(statement.openPositions, whole.openPositions);
    assert.deepEqual(statement.deals, []);
    assert.equal(statement.stated.balance, whole.stated.balance);
    assert.equal(statement.stated.equity, whole.stated.equity);
    assert.deepEqual(codesOf(statement), ['open_positions_only']);
  }
});
