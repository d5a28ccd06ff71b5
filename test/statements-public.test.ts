import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isTradeDeal, moneyOf } from '../src/domain/deal.ts';
import { toUnits } from '../src/domain/money.ts';
import { readStatement } from '../src/statements/read-statement.ts';
import type { Statement } from '../src/statements/statement.ts';
import { UnreadableStatement } from '../src/statements/unreadable-statement.ts';
import { needs } from './needs.ts';

needs('time');

const DATA = join(import.meta.dirname, '../../shared/data');
const DIGITS = 4;
const units = (value: number) => toUnits(value, DIGITS);

type Oracle = { file: string; kind: string; metrics: Record<string, number | string> };

const oracles = ['oracles.json', 'extra/oracles.json']
  .map((name) => join(DATA, name))
  .filter((file) => existsSync(file))
  .flatMap((file): Oracle[] => JSON.parse(readFileSync(file, 'utf8')));
const FOLDERS = ['mt4-statement', 'mt4-tester', 'mt5-history', 'mt5-tester', 'mt5-trade'];
const reports = ['public', 'extra']
  .flatMap((collection) => FOLDERS.map((folder) => join(collection, folder)))
  .filter((folder) => existsSync(join(DATA, folder)))
  .flatMap((folder) => readdirSync(join(DATA, folder)).map((name) => join(folder, name)));

if (reports.length === 0)
  test('public statements', { skip: 'the folder ../shared/data is not here' }, () => {});

for (const file of reports)
  test(`${file} gives the figures that it states`, async () => {
    const statement = await readStatement(readFileSync(join(DATA, file)), { moneyDigits: DIGITS });
    const oracle = oracles.find((entry) => entry.file === file);
    for (const [key, value] of Object.entries(oracle?.metrics ?? {}))
      if (typeof value === 'number') assert.equal(statement.stated.figures[key], value, key);
    assert.ok(statement.stated.balance !== undefined, 'the report states a balance');
    assertTrades(statement, statement.stated.figures);
    assertBalance(statement, statement.stated.figures);
    assertFloating(statement, statement.stated.figures);
    const unread = statement.warnings.filter(({ code }) => /^row|_differ/.test(code));
    assert.deepEqual(unread, []);
  });

const closingDeals = (statement: Statement) =>
  statement.deals.filter((deal) => isTradeDeal(deal) && deal.entry !== 'DEAL_ENTRY_IN');
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

function assertTrades(statement: Statement, metrics: Oracle['metrics']): void {
  if (typeof metrics.total_trades === 'number')
    assert.equal(closingDeals(statement).length, metrics.total_trades);
  const net = sum(statement.deals.filter(isTradeDeal).map(moneyOf));
  if (typeof metrics.total_net_profit === 'number')
    assert.equal(net, units(metrics.total_net_profit));
  if (typeof metrics.total_deals === 'number')
    assert.equal(statement.deals.filter(isTradeDeal).length, metrics.total_deals);
}

function assertBalance(statement: Statement, metrics: Oracle['metrics']): void {
  const operations = statement.deals.filter(
    (deal) => !isTradeDeal(deal) && deal.type !== 'DEAL_TYPE_CREDIT',
  );
  if (typeof metrics.deposit_withdrawal === 'number')
    assert.equal(sum(operations.map(moneyOf)), units(metrics.deposit_withdrawal));
  if (typeof metrics.initial_deposit === 'number')
    assert.equal(sum(operations.map(moneyOf)), units(metrics.initial_deposit));
  if (typeof metrics.balance !== 'number' || statement.kind === 'p5-trade') return;
  const listed =
    sum(operations.map(moneyOf)) + sum(statement.deals.filter(isTradeDeal).map(moneyOf));
  assert.equal(listed + (statement.carriedInBalance ?? 0), units(metrics.balance));
}

function assertFloating(statement: Statement, metrics: Oracle['metrics']): void {
  if (typeof metrics.floating_pl !== 'number') return;
  const { openPositions: open, platform } = statement;
  // p4 prints the floating result with swap and commission, p5 without the swap.
  const floating = open.map((p) => p.profit + (platform === 'p4' ? p.swap + p.commission : 0));
  assert.equal(sum(floating), units(metrics.floating_pl));
}

const at = (folder: string) => join(DATA, 'public', folder);
const present = existsSync(at('deals'));
const skip = present ? false : 'the folder ../shared/data is not here';

test('cookieboom__deals.json gives every deal', { skip }, async () => {
  const bytes = readFileSync(join(at('deals'), 'cookieboom__deals.json'));
  const { deals } = await readStatement(bytes, { moneyDigits: DIGITS });
  assert.equal(deals.length, 140);
  assert.equal(deals.filter(({ entry }) => entry === 'DEAL_ENTRY_OUT').length, 68);
  const deposits = deals.filter(({ type }) => type === 'DEAL_TYPE_BALANCE').map(moneyOf);
  assert.equal(sum(deposits), units(5998));
  assert.equal(sum(deals.map(({ profit }) => profit)), units(6061.72));
});

test('the FTMO journal gives its 27 trades with both prices', { skip }, async () => {
  const file = 'daviddwlee84__FTMO_export-1706151888.csv';
  const { deals } = await readStatement(readFileSync(join(at('deals'), file)), {
    moneyDigits: DIGITS,
  });
  const out = deals.filter(({ entry }) => entry === 'DEAL_ENTRY_OUT');
  assert.equal(out.length, 27);
  assert.equal(sum(out.map(({ profit }) => profit)), units(5348.6));
  assert.equal(sum(out.map(({ commission }) => commission)), units(-190.58));
  const first = deals.filter(({ positionId }) => positionId === '114279812');
  assert.deepEqual(
    first.map(({ price }) => price),
    [106.33, 106.48],
  );
});

test('the two exports of one p4 account give the same trades', { skip }, async () => {
  const read = async (name: string) => {
    const bytes = readFileSync(join(at('mt4-statement'), name));
    const { deals } = await readStatement(bytes, { moneyDigits: DIGITS });
    return deals.map((deal) => ({ ...deal, comment: undefined }));
  };
  assert.deepEqual(
    await read('fpmk__DetailedStatement_comm.htm'),
    await read('fpmk__DetailedStatement_nocom.htm'),
  );
});

test('positions of the p5 reports are those listed by their tables', { skip }, async () => {
  for (const name of readdirSync(at('mt5-history'))) {
    const bytes = readFileSync(join(at('mt5-history'), name));
    const { deals, openPositions } = await readStatement(bytes, { moneyDigits: DIGITS });
    const held = new Map<string, number>();
    for (const { entry, positionId = '', volume, type } of deals) {
      if (entry === undefined) continue;
      const signed = type === 'DEAL_TYPE_BUY' ? volume : -volume;
      held.set(positionId, (held.get(positionId) ?? 0) + signed);
    }
    const left = [...held].filter(([, volume]) => volume !== 0).sort();
    const open = openPositions.map(
      (p) => [p.positionId, p.type === 'DEAL_TYPE_BUY' ? p.volume : -p.volume] as [string, number],
    );
    // A netting position keeps its first number, the report prints that of its last order.
    if (!name.includes('netting')) assert.deepEqual(left, open.sort(), name);
  }
});

const OTHERS = ['prices', 'symbols'];
const NOT_DEALS = /__(?:account|orders|positions|rates|symbols|order_history)/;

test('other files of the terminals are refused with what was expected', { skip }, async () => {
  const files = [...OTHERS, 'deals'].flatMap((folder) =>
    readdirSync(at(folder))
      .filter((name) => folder !== 'deals' || NOT_DEALS.test(name))
      .map((name) => join(at(folder), name)),
  );
  assert.ok(files.length > 30);
  for (const file of files)
    await assert.rejects(
      readStatement(readFileSync(file), { moneyDigits: DIGITS }),
      (error) => error instanceof UnreadableStatement && error.where !== '',
      file,
    );
});
