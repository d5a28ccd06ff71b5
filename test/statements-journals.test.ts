import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  JOURNALS,
  type JournalTrade,
  journalCsv,
  journalTrades,
  LISTS_OF_TRADES,
} from '../scripts/sample-statements/journals.ts';
import { hedgingSample } from '../scripts/sample-statements/samples.ts';
import { toUnits, toVolume } from '../src/domain/money.ts';
import { readStatement } from '../src/statements/read-statement.ts';

const units = (value: number) => toUnits(value, 4);
const read = (bytes: Uint8Array) => readStatement(bytes, { moneyDigits: 4 });
const trades = journalTrades(hedgingSample()).slice(0, 60);
type Deals = Awaited<ReturnType<typeof read>>['deals'];

/**
 * Layouts that print no seconds, or that do not tell apart what a trade earned and what it cost.
 */
const WITHOUT_SECONDS = new Set(['Myfxbook']);
const WITHOUT_COMMISSION = new Set(['ZuluTrade']);
const WITH_SLASH = new Set(['ZuluTrade']);

const toMinute = (timeMs: number) => timeMs - (timeMs % 60_000);

function assertTrades(deals: Deals, name: string): void {
  const time = WITHOUT_SECONDS.has(name) ? toMinute : (timeMs: number) => timeMs;
  const exits = deals.filter(({ entry }) => entry === 'DEAL_ENTRY_OUT');
  const listed = exits.map((exit) => {
    const entry = deals.find(
      (deal) => deal.entry === 'DEAL_ENTRY_IN' && deal.positionId === exit.positionId,
    );
    const { symbol, type, volume, price, timeMs, profit, swap, commission, fee } = exit;
    const side = type === 'DEAL_TYPE_SELL' ? 'buy' : 'sell';
    const opened = [entry?.timeMs, entry?.price, entry?.volume, exit.positionPrice];
    return [symbol, side, volume, price, timeMs, ...opened, profit, swap, commission + fee];
  });
  const expected = trades.map((trade) => {
    const { side, lots, openPrice, closePrice, openTimeMs, closeTimeMs } = trade;
    const symbol = WITH_SLASH.has(name)
      ? `${trade.symbol.slice(0, 3)}/${trade.symbol.slice(3)}`
      : trade.symbol;
    const volume = toVolume(lots);
    const costs = WITHOUT_COMMISSION.has(name) ? 0 : units(trade.commission);
    return [
      ...[symbol, side, volume, closePrice, time(closeTimeMs), time(openTimeMs), openPrice],
      ...[volume, openPrice, units(trade.profit), units(trade.swap), costs],
    ];
  });
  const sorted = (rows: unknown[][]) => rows.map((row) => row.join(' ')).sort();
  assert.deepEqual(sorted(listed), sorted(expected));
}

for (const [name, layout] of Object.entries(JOURNALS))
  test(`closed trades of ${name} are read to the cent`, async () => {
    const { kind, deals, warnings } = await read(journalCsv(layout, trades));
    assert.equal(kind, 'closed-trades');
    assertTrades(deals, name);
    const expected = name === 'cTrader' ? ['balance_carried_in'] : [];
    assert.deepEqual(
      warnings.map(({ code }) => code),
      expected,
    );
  });

for (const [name, layout] of Object.entries(LISTS_OF_TRADES))
  test(`the list of trades of ${name} is read to the cent, with costs once in its profits`, async () => {
    const { kind, deals, warnings } = await read(journalCsv(layout, trades));
    assert.equal(kind, 'list-of-trades');
    const exits = deals.filter(({ entry }) => entry === 'DEAL_ENTRY_OUT');
    const made = (trade: JournalTrade) => units(trade.profit + trade.swap + trade.commission);
    assert.deepEqual(
      exits.map((d) => d.profit + d.commission).sort((a, b) => a - b),
      trades.map(made).sort((a, b) => a - b),
    );
    assert.deepEqual(
      deals.map(({ timeMs }) => timeMs),
      trades
        .flatMap(({ openTimeMs, closeTimeMs }) => [openTimeMs, closeTimeMs].map(toMinute))
        .sort((a, b) => a - b),
    );
    assert.ok(warnings.some(({ code }) => code === 'symbols_unknown'));
  });

test('deposits of a journal are balance operations, its login and currency are found', async () => {
  const { 'FX Blue': fxBlue, Exness: exness, Myfxbook: myfxbook } = JOURNALS;
  assert.ok(fxBlue && exness && myfxbook);
  const blue = await read(journalCsv(fxBlue, trades));
  assert.equal(blue.stated.login, '20120675');
  assert.deepEqual(
    blue.deals.filter(({ type }) => type === 'DEAL_TYPE_BALANCE').map(({ profit }) => profit),
    [10_000_000],
  );
  assert.equal((await read(journalCsv(exness, trades))).stated.currency, 'USD');
  const book = await read(journalCsv(myfxbook, trades));
  assert.equal(book.deals.filter(({ type }) => type === 'DEAL_TYPE_BALANCE').length, 1);
});
