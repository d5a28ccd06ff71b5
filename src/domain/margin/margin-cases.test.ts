import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ADAPTED, EXCLUDED, type PublicCase } from '../../../test/margin/public-cases.ts';
import { sampleSymbol } from '../../../test/margin/samples.ts';
import { ORDER_TYPES, type Platform } from '../../words/accounts.ts';
import { calculateMargin } from './calculate-margin.ts';
import { parseMarginMode } from './margin-mode.ts';
import type { MarginSymbol, Quote } from './market.ts';
import { marketOf } from './market.ts';
import { isOrderType } from './order-type.ts';
import { positionsMargin } from './positions-margin.ts';

/** Margins stated by public documentation, brokers' pages and real account reports. */
const FILE = new URL('../../../../shared/data/margin-cases.json', import.meta.url);
const ANY_PRICE = 1;

const isThere = existsSync(FILE);
const cases: PublicCase[] = isThere ? JSON.parse(readFileSync(FILE, 'utf8')) : [];
const stating = cases.filter(
  (stated) => stated.expected_margin !== undefined && stated.evidence !== 'doubtful',
);

test('public cases: every stated margin is proven or left out for a reason', {
  skip: isThere ? false : 'skipped: ../shared/data/margin-cases.json is not on this machine',
}, () => {
  assert.ok(stating.length > 0);
  const ids = new Set(stating.map((stated) => stated.id));
  for (const id of [...Object.keys(EXCLUDED), ...Object.keys(ADAPTED)])
    assert.ok(ids.has(id), `${id} is not a case`);
});

for (const stated of stating.filter(({ id }) => !(id in EXCLUDED)))
  for (const family of familiesOf(stated))
    test(`public case ${stated.id} on ${family}`, () => {
      const tolerance = stated.tolerance ?? 0;
      const actual = marginOf(stated, family);
      assert.ok(
        Math.abs(actual - expectedOf(stated)) <= tolerance,
        `${actual} is not ${stated.expected_margin} ± ${tolerance}`,
      );
    });

function familiesOf({ platform }: PublicCase): Platform[] {
  return platform === 'MT4' ? ['p4'] : platform === 'MT5' ? ['p5'] : ['p4', 'p5'];
}

/** As printed: if a page prints more digits than the platform rounds to, they are checked, too. */
const digitsOf = ({ expected_margin }: PublicCase): number =>
  Math.max(2, String(expected_margin).split('.')[1]?.length ?? 0);

const expectedOf = (stated: PublicCase): number => Number(stated.expected_margin);

function marginOf(stated: PublicCase, family: Platform): number {
  const adapted = ADAPTED[stated.id] ?? {};
  const account = {
    family,
    currency: adapted.currency ?? stated.account_currency ?? stated.expected_currency ?? '',
    currencyDigits: digitsOf(stated),
    leverage: adapted.leverage ?? stated.leverage ?? 1,
    accounting: 'hedging',
  } as const;
  const market = marketOf(symbolsOf(stated, family), quotesOf(stated));
  const positions = positionsOf(stated);
  const [name = ''] = namesOf(stated);
  if (!positions) {
    const order = {
      symbol: name,
      type: 'ORDER_TYPE_BUY',
      volume: stated.volume ?? 0,
      openPrice: priceOf(stated, name),
    };
    const result = calculateMargin({ order, account, market });
    assert.ok('margin' in result, JSON.stringify(result));
    return result.margin;
  }
  const held = positions.map(({ side, pending, volume, price, symbol = name }) => {
    const suffix = pending ? `_${pending.toUpperCase()}` : '';
    const type = `ORDER_TYPE_${side.toUpperCase()}${suffix}`;
    assert.ok(isOrderType(type));
    return { symbol, type, volume, openPrice: price ?? priceOf(stated, symbol) };
  });
  const result = positionsMargin({ held, account, market });
  assert.ok('margin' in result, JSON.stringify(result));
  return result.margin;
}

function positionsOf(stated: PublicCase): PublicCase['positions'] {
  const { positions, isCoveredVolume } = ADAPTED[stated.id] ?? {};
  if (!isCoveredVolume) return positions ?? stated.positions;
  const volume = (stated.volume ?? 0) / 2;
  return ['buy', 'sell'].map((side) => ({ side, volume, price: stated.price ?? null }));
}

function namesOf(stated: PublicCase): string[] {
  return (stated.symbol_spec?.symbol ?? '').split(', ');
}

function symbolsOf(stated: PublicCase, family: Platform): MarginSymbol[] {
  const spec = stated.symbol_spec ?? {};
  const adapted = ADAPTED[stated.id] ?? {};
  const marginMode = parseMarginMode(family, adapted.mode ?? stated.mode ?? '');
  assert.ok(marginMode, `mode ${stated.mode}`);
  const currencyMargin = adapted.currencyMargin ?? stated.expected_currency ?? '';
  const pairs = [...quotesOf(stated)].map(({ symbol }) => sampleSymbol(symbol));
  const symbols = namesOf(stated).map((name) =>
    sampleSymbol(name, {
      marginMode,
      volumeMin: 0,
      volumeMax: 0,
      volumeStep: 0,
      contractSize:
        spec.contract_size ?? stated.positions?.find((p) => p.symbol === name)?.contract_size ?? 1,
      ...(marginMode.startsWith('FOREX') && !adapted.currencyMargin ? {} : { currencyMargin }),
      marginRates: ratesOf(stated, name),
      marginInitial: spec.initial_margin ?? spec.initial_margin_buy,
      marginMaintenance: spec.maintenance_margin ?? spec.initial_margin_sell,
      marginHedged: typeof spec.hedged_margin === 'number' ? spec.hedged_margin : undefined,
      hedgeByLargerLeg: String(spec.hedged_margin).startsWith('larger leg'),
      faceValue: spec.face_value,
      priceSettle: spec.settlement_price,
      tickSize: spec.tick_size,
      tickValue: spec.tick_value,
      percentage: family === 'p4' ? 100 * (spec.margin_rate ?? 1) : undefined,
      ...adapted.symbol,
      ...(adapted.hedgedLot === undefined
        ? {}
        : { marginHedged: adapted.hedgedLot / (family === 'p4' ? 2 : 1) }),
    }),
  );
  return [...pairs, ...symbols];
}

/** Pending orders of the documents' examples are charged like market orders. */
function ratesOf(stated: PublicCase, name: string): NonNullable<MarginSymbol['marginRates']> {
  const { margin_rate, margin_rate_buy, margin_rate_sell } = stated.symbol_spec ?? {};
  const rate = ADAPTED[stated.id]?.rates?.[name] ?? margin_rate ?? 1;
  return {
    ...Object.fromEntries(ORDER_TYPES.map((type) => [type, rate])),
    ORDER_TYPE_BUY: margin_rate_buy ?? rate,
    ORDER_TYPE_SELL: margin_rate_sell ?? rate,
  };
}

/** The price of the symbol, wherever it is in the case. */
function priceOf(stated: PublicCase, name: string): number {
  return stated.price ?? quotesOf(stated).find((quote) => quote.symbol === name)?.ask ?? ANY_PRICE;
}

function quotesOf(stated: PublicCase): Quote[] {
  const quotes = new Map<string, Quote>();
  for (const { symbol, price } of stated.positions ?? [])
    if (symbol && price) quotes.set(symbol, { symbol, bid: price, ask: price });
  const { pricedSymbol } = ADAPTED[stated.id] ?? {};
  const priced = pricedSymbol && stated.price ? { [pricedSymbol]: stated.price } : {};
  const rates = { ...stated.rates, ...priced };
  for (const [key, value] of Object.entries(rates)) {
    const [name = '', side] = key.split(' ');
    const symbol = name === 'base/USD' ? `${namesOf(stated)[0]?.slice(0, 3)}USD` : name;
    const quote = quotes.get(symbol) ?? { symbol, bid: value, ask: value };
    quotes.set(symbol, side === 'bid' || side === 'ask' ? { ...quote, [side]: value } : quote);
  }
  return [...quotes.values()].filter(({ symbol }) => symbol !== 'USDUSD');
}
