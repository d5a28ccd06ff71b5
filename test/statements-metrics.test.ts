import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { metricsOfDeals } from '../src/domain/metrics/metrics.fixture.ts';
import { roundMoney, toUnits } from '../src/domain/money.ts';
import { readStatement } from '../src/statements/read-statement.ts';

const DATA = join(import.meta.dirname, '../../shared/data');
const DIGITS = 4;

/** Testers of p4 state the drawdown of the equity, which no list of deals tells. */
const BALANCE_DRAWDOWN = /mt4-statement|mt5/;
const FOLDERS = ['mt4-statement', 'mt4-tester', 'mt5-history', 'mt5-tester'];
const reports = ['public', 'extra']
  .flatMap((collection) => FOLDERS.map((folder) => join(collection, folder)))
  .filter((folder) => existsSync(join(DATA, folder)))
  .flatMap((folder) => readdirSync(join(DATA, folder)).map((name) => join(folder, name)));

if (reports.length === 0)
  test('statistics of public statements', { skip: '../shared/data is not here' }, () => {});

for (const file of reports)
  test(`${file}: the last day ends with the balance, the drawdown is the stated one`, async () => {
    const { deals, stated } = await readStatement(readFileSync(join(DATA, file)), {
      moneyDigits: DIGITS,
    });
    const metrics = metricsOfDeals(deals);
    assert.equal(metrics.daily.at(-1)?.balance, metrics.balance);
    const { figures } = stated;
    const maximal = figures.balance_drawdown_maximal ?? figures.maximal_drawdown;
    if (maximal === undefined || !BALANCE_DRAWDOWN.test(file)) return;
    for (const found of [metrics.balanceDrawdown.maximal, metrics.drawdown.maximal])
      assert.equal(roundMoney(found, DIGITS, 2), toUnits(maximal, DIGITS), file);
  });
