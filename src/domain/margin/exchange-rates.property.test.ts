import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { DAY_MS } from '../broker-time.ts';
import { type PairQuote, pairsFor, quotedPairs, ratesFrom } from './exchange-rates.ts';

const NOW = 100 * DAY_MS;
const CURRENCIES = ['USD', 'EUR', 'JPY', 'GBP'];
const currency = fc.constantFrom(...CURRENCIES);

/** At most one quote of an account and pair, as stored; some too old, some equally new. */
const quotes = fc.uniqueArray(
  fc
    .record({
      base: currency,
      profit: currency,
      accountNumber: fc.integer({ min: 1, max: 3 }),
      price: fc.integer({ min: 1, max: 20 }),
      quotedAtMs: fc.constantFrom(NOW, NOW - DAY_MS, NOW - 7 * DAY_MS, NOW - 7 * DAY_MS - 1),
    })
    .filter(({ base, profit }) => base !== profit)
    .map(({ price, ...rest }) => ({
      ...rest,
      ...{ accountId: `account-${rest.accountNumber}`, symbol: `${rest.base}${rest.profit}.x` },
      ...{ bid: price, ask: price + 1 },
    })),
  {
    selector: ({ base, profit, accountNumber }) => `${base} ${profit} ${accountNumber}`,
    minLength: 4,
    maxLength: 14,
  },
);

type Path = { rate: number; used: PairQuote[] };

/** All ways from one currency to another, the preferred first, written out. */
function naive(all: readonly PairQuote[], from: string, to: string): Path | undefined {
  const best = (base: string, profit: string): PairQuote | undefined =>
    all
      .filter((one) => one.base === base && one.profit === profit)
      .filter((one) => one.quotedAtMs >= NOW - 7 * DAY_MS)
      .sort((a, b) => b.quotedAtMs - a.quotedAtMs || a.accountNumber - b.accountNumber)[0];
  const straight = (a: string, b: string): Path | undefined => {
    const pair = best(a, b);
    if (pair) return { rate: (pair.bid + pair.ask) / 2, used: [pair] };
    const inverse = best(b, a);
    return inverse && { rate: 2 / (inverse.bid + inverse.ask), used: [inverse] };
  };
  if (from === to) return { rate: 1, used: [] };
  const ways = [straight(from, to)];
  for (const bridge of ['USD', 'EUR']) {
    const [first, second] = [straight(from, bridge), straight(bridge, to)];
    ways.push(
      first && second && { rate: first.rate * second.rate, used: [...first.used, ...second.used] },
    );
  }
  return ways.find((way) => way !== undefined);
}

test('a rate is that of the pair, else of the inverse, else by way of USD or EUR', () => {
  fc.assert(
    fc.property(quotes, currency, currency, (all, from, to) => {
      const expected = naive(all, from, to);
      const wanted = pairsFor([from], to);
      const needed = all.filter((one) =>
        wanted.some(([base, profit]) => one.base === base && one.profit === profit),
      );
      for (const some of [all, all.toReversed(), needed]) {
        const found = ratesFrom(some, NOW)(from, to);
        assert.deepEqual(found?.quotes, expected?.used);
        if (!found || !expected) continue;
        assert.ok(Math.abs(found.rate.toNumber() / expected.rate - 1) < 1e-12);
      }
    }),
    { numRuns: 1000 },
  );
});

test('pairs are told by the currencies of forex symbols, not by names; the newest quote counts', () => {
  const symbol = (symbol: string, marginMode: string, base: string, profit: string) => ({
    ...{ symbol, marginMode, currencyBase: base, currencyProfit: profit, currencyMargin: base },
    ...{ contractSize: 1, digits: 5, volumeMin: 0, volumeMax: 0, volumeStep: 0 },
  });
  const quote = (symbol: string, brokerTime: string) => ({ symbol, bid: 1, ask: 2, brokerTime });
  const market = {
    symbols: [
      symbol('Fiber.z', 'FOREX', 'EUR', 'USD'),
      symbol('Fiber.b', 'MARGIN_CALC_FOREX', 'EUR', 'USD'),
      symbol('Fiber.a', 'FOREX', 'EUR', 'USD'),
      symbol('GBPUSD', 'CFD', 'GBP', 'USD'),
      symbol('USDJPY', 'FOREX', 'USD', 'JPY'),
      symbol('USDUSD', 'FOREX', 'USD', 'USD'),
    ],
    quotes: [
      quote('Fiber.z', '1'),
      quote('Fiber.b', '2'),
      quote('Fiber.a', '2'),
      quote('GBPUSD', '9'),
      quote('USDUSD', '9'),
      quote('CHFJPY', '9'),
    ],
  };
  const found = quotedPairs('p5', market, ({ brokerTime }) => Number(brokerTime));
  const fiber = { base: 'EUR', profit: 'USD', symbol: 'Fiber.a', bid: 1, ask: 2, quotedAtMs: 2 };
  assert.deepEqual(found, [fiber]);
});

test('a price smaller than the digits of any symbol gives no rate that is no number', () => {
  const quote = {
    ...{ base: 'EUR', profit: 'USD', symbol: 'EURUSD', quotedAtMs: 0 },
    ...{ accountNumber: 1, accountId: 'a' },
  };
  const ratesAt = (price: number) => ratesFrom([{ ...quote, bid: price, ask: price }], 0);
  for (const price of [Number.MIN_VALUE, 1e-300, 9e-11]) {
    assert.equal(ratesAt(price)('EUR', 'USD'), undefined);
    assert.equal(ratesAt(price)('USD', 'EUR'), undefined);
  }
  assert.equal(ratesAt(1e-10)('USD', 'EUR')?.rate.toNumber(), 1e10);
});
