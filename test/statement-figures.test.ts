import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type Deal, moneyOf } from '../src/domain/deal.ts';
import { openPositionsOf } from '../src/domain/trades/open-trades.ts';
import { createTradeState, foldTradeDeal } from '../src/domain/trades/trade-state.ts';
import { reconcile } from '../src/statements/outcome/reconcile.ts';
import { readStatement } from '../src/statements/read-statement.ts';
import { EXPLAINED_DIFFERENCES } from './fixtures/statements/explained-differences.ts';

/**
 * Real reports state their own figures; computed from the deals that the same report lists, ours
 * must be equal to the last printed digit. The reports are nobody's to ship, so they lie beside the
 * project where they are at hand.
 */
const DATA = new URL('../../shared/data/', import.meta.url);
const ORACLES = ['oracles.json', 'extra/oracles.json']
  .map((name) => new URL(name, DATA))
  .filter((file) => existsSync(file));
const KINDS = ['mt4-statement', 'mt4-tester', 'mt5-history', 'mt5-tester'];
const MONEY_DIGITS = 4;

type Oracle = { file: string; kind: string };

/** The trades of real deals have ids of their own and, with the open positions, all the money. */
function assertComplete(deals: Deal[]): void {
  const state = createTradeState();
  const trades = deals.flatMap((deal) => foldTradeDeal(state, deal));
  assert.equal(new Set(trades.map((trade) => trade.id)).size, trades.length);
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const closed = sum(trades.map((trade) => trade.profit));
  const open = openPositionsOf(state).map(
    ({ realisedProfit, swap, commission, fee }) => realisedProfit + swap + commission + fee,
  );
  assert.equal(closed + sum(open), sum(deals.map(moneyOf)));
}

if (ORACLES.length === 0) {
  test('stated figures of real reports', { skip: 'no reports in ../shared/data' }, () => {});
} else {
  const texts = await Promise.all(ORACLES.map((file) => readFile(file, 'utf8')));
  const oracles = texts.flatMap((text): Oracle[] => JSON.parse(text));
  for (const { file, kind } of oracles) {
    if (!KINDS.includes(kind)) continue;
    test(`the figures of ${file} follow from its deals`, async () => {
      const bytes = await readFile(new URL(file, DATA));
      const statement = await readStatement(bytes, { moneyDigits: MONEY_DIGITS });
      assertComplete(statement.deals);
      const { figures, differences } = reconcile(statement, MONEY_DIGITS);
      const carriedIn = statement.carriedInBalance ? ['balance', 'equity'] : [];
      const known = new Set([...(EXPLAINED_DIFFERENCES[file] ?? []), ...carriedIn]);
      const unknown = figures.filter(({ name }) => differences.includes(name) && !known.has(name));
      assert.deepEqual(unknown, []);
      const compared = figures.filter(({ computed }) => computed !== undefined);
      assert.ok(compared.length >= figures.length / 2, 'most of what it states is compared');
    });
  }
}
