import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { DAY_MS, DEFAULT_BROKER_CLOCK, MINUTE_MS } from '../../domain/broker-time.ts';
import { BrokerCalendar } from './calendar.ts';
import { instrumentsOf } from './instruments.ts';
import { Quotes } from './quotes.ts';

const INSTRUMENTS = instrumentsOf('p5');
const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2040, 0) });

test('quotes are a function of seed and time, on the symbol’s price steps', () => {
  fc.assert(
    fc.property(fc.integer(), moment, fc.constantFrom(...INSTRUMENTS), (seed, utcMs, each) => {
      const one = new Quotes(seed, INSTRUMENTS).quote(each, utcMs);
      assert.deepEqual(new Quotes(seed, INSTRUMENTS).quote(each, utcMs), one);
      const points = one.bid * 10 ** each.digits;
      assert.ok(Math.abs(points - Math.round(points)) < 1e-6);
      assert.ok(one.bid > 0 && one.ask > one.bid);
      assert.ok(one.bid > each.price / 3 && one.bid < each.price * 3);
    }),
  );
});

test('prices wander: little in a minute, about the daily move in a day', () => {
  const quotes = new Quotes(3, INSTRUMENTS);
  for (const each of INSTRUMENTS) {
    const start = Date.UTC(2026, 5, 1);
    let minute = 0;
    let day = 0;
    for (let index = 0; index < 200; index += 1) {
      const utcMs = start + index * DAY_MS;
      const price = quotes.quote(each, utcMs).bid;
      minute += Math.abs(quotes.quote(each, utcMs + MINUTE_MS).bid / price - 1) / 200;
      day += Math.abs(quotes.quote(each, utcMs + DAY_MS).bid / price - 1) / 200;
    }
    assert.ok(day > each.dailyMove / 3 && day < each.dailyMove * 3, `${each.symbol} ${day}`);
    assert.ok(minute > 0 && minute < day / 5, `${each.symbol} ${minute}`);
  }
});

test('rates convert directly, inversely and over the dollar', () => {
  const quotes = new Quotes(3, INSTRUMENTS);
  const utcMs = Date.UTC(2026, 10, 20);
  const rate = (from: string, to: string) => quotes.rate(from, to, utcMs) ?? Number.NaN;
  assert.equal(rate('EUR', 'EUR'), 1);
  assert.equal(rate('EUR', 'USD') * rate('USD', 'EUR'), 1);
  assert.ok(Math.abs(rate('GBP', 'JPY') / (rate('GBP', 'USD') * rate('USD', 'JPY')) - 1) < 1e-9);
  assert.equal(quotes.rate('EUR', 'XXX', utcMs), undefined);
});

test('nights: three for the one that ends Wednesday, none on the weekend', () => {
  const calendar = new BrokerCalendar(DEFAULT_BROKER_CLOCK);
  // Wednesday 2026-11-18 12:00 UTC; the broker's day ends at 22:00 UTC in winter.
  const noon = Date.UTC(2026, 10, 18, 12);
  assert.equal(calendar.nights(noon, noon + 9.9 * 3_600_000), 0);
  assert.equal(calendar.nights(noon, noon + 10 * 3_600_000), 3);
  assert.equal(calendar.nights(noon, noon + 3 * DAY_MS), 5);
  assert.equal(calendar.nights(noon, noon + 5 * DAY_MS), 5);
  assert.equal(calendar.nights(noon, noon + 7 * DAY_MS), 7);
});
