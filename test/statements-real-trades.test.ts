import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatBrokerTime } from '../src/domain/broker-time.ts';
import { isTradeDeal } from '../src/domain/deal.ts';
import { fromUnits, fromVolume } from '../src/domain/money.ts';
import type { Trade } from '../src/domain/trade.ts';
import { tradesOf } from '../src/domain/trades/trade-state.ts';
import { readStatement } from '../src/statements/read-statement.ts';
import { needs } from './needs.ts';

needs('time');

/** Trades of strangers' p4 reports, beside the rows of the page, read here in a second way. */
const DATA = join(import.meta.dirname, '../../shared/data/public');
const DIGITS = 4;

type Row = { title: string; cells: string[] };
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .trim();

function rowsOf(page: string): Row[] {
  return [...page.matchAll(/<tr[^>]*>(.*?)<\/tr>/gis)].map(([, row = '']) => ({
    title: /title="([^"]*)"/.exec(row)?.[1]?.trim() ?? '',
    cells: [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gis)].map(([, cell = '']) => textOf(cell)),
  }));
}

const number = (text = ''): number => Number(text.replaceAll(' ', ''));
const level = (text = ''): number | undefined => number(text) || undefined;
const timeOf = (text = ''): string => `${text.replaceAll('.', '-')}:00`.slice(0, 19);
const cents = (...texts: (string | undefined)[]): number =>
  Math.round(texts.reduce((total, text) => total + number(text) * 100, 0));

const said = (trade: Trade) => [
  ...[trade.positionId, trade.type === 'DEAL_TYPE_BUY' ? 'buy' : 'sell', trade.symbol],
  ...[fromVolume(trade.volume), trade.openPrice, trade.closePrice],
  ...[trade.openTimeMs, trade.closeTimeMs].map((ms) => formatBrokerTime(ms).slice(0, 19)),
  ...[trade.stopLoss, trade.takeProfit],
];
const inCents = (units: number): number => Math.round(fromUnits(units, DIGITS) * 100);

async function tradesIn(file: string): Promise<Map<string, Trade>> {
  const { deals } = await readStatement(readFileSync(file), { moneyDigits: DIGITS });
  return new Map(
    tradesOf(deals).flatMap((trade) => (isTradeDeal(trade) ? [[trade.positionId, trade]] : [])),
  );
}

const filesIn = (folder: string): string[] =>
  existsSync(join(DATA, folder))
    ? readdirSync(join(DATA, folder)).map((name) => join(DATA, folder, name))
    : [];
const skip = !existsSync(DATA) && 'the folder ../shared/data is not here';

test('each ticket of a p4 statement is a trade with what its row states', { skip }, async () => {
  for (const file of filesIn('mt4-statement')) {
    const trades = await tradesIn(file);
    const closed = rowsOf(readFileSync(file, 'latin1').split('Open Trades:')[0] ?? '').filter(
      ({ cells }) => cells.length === 14 && /^(?:buy|sell)$/.test(cells[2] ?? ''),
    );
    for (const { title, cells } of closed) {
      const [id = '', opened, side, size, symbol, open, stop, target, ended, close] = cells;
      const trade = trades.get(id);
      assert.ok(trade, `${file}: ${id}`);
      assert.deepEqual(said(trade), [
        ...[id, side, symbol, number(size), number(open), number(close)],
        ...[timeOf(opened), timeOf(ended), level(stop), level(target)],
      ]);
      const [, magic, comment] = /^(?:#(\d+)\s*)?(.*)$/.exec(title) ?? [];
      assert.deepEqual(
        [trade.magic ?? '', trade.comment ?? ''],
        [magic ? Number(magic) : '', comment],
      );
      const { profit, commission, fee, swap } = trade;
      assert.deepEqual([commission, fee, swap, profit].map(inCents), [
        ...cells.slice(10, 13).map((text) => cents(text)),
        cents(...cells.slice(10)),
      ]);
    }
    assert.equal(trades.size, closed.length, file);
  }
});

test('each order of a p4 tester is a trade with what its events state', { skip }, async () => {
  for (const file of filesIn('mt4-tester')) {
    const trades = await tradesIn(file);
    const begun = new Map<string, { time: string; lots: number; levels: unknown[] }>();
    // What a partial close leaves is a new order with the old age.
    let [restOf, count] = ['', 0];
    for (const { cells } of rowsOf(readFileSync(file, 'latin1'))) {
      const [event = '', time, type = '', id = '', size, price, stop, target, profit] = cells;
      if (!/^\d+$/.test(event) || !/^\d{4}\./.test(time ?? '')) continue;
      if (/^(?:buy|sell|swap open)$/.test(type)) {
        const age = begun.get(restOf)?.time ?? timeOf(time);
        begun.set(id, { time: age, lots: number(size), levels: [level(stop), level(target)] });
        restOf = '';
      }
      const trade = trades.get(id);
      const order = begun.get(id);
      if (!profit) continue;
      assert.ok(trade && order, `${file}: ${id}`);
      const [, , , lots, , ...others] = said(trade);
      assert.deepEqual(
        [lots, ...others],
        [number(size), number(price), order.time, timeOf(time), ...order.levels],
        `${file}: ${id}`,
      );
      // Rows are rounded one by one; the column of balances is exact.
      assert.ok(Math.abs(inCents(trade.profit) - cents(profit)) <= 1, `${file}: ${id}`);
      restOf = number(size) < order.lots ? id : '';
      count += 1;
    }
    assert.equal(trades.size, count, file);
  }
});
