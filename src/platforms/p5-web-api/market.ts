import type { SymbolRecord } from '../../domain/margin/read-market.ts';
import type { PlatformMarket } from '../gateway.ts';
import { batchOf } from './batches.ts';
import type { P5Client } from './client.ts';
import { numberOf, optionalNumberOf, type P5Record, rowsOf, textOf } from './record.ts';

/** Numbers of `CalcMode` as the Web API sends them ("IMTConSymbol::EnCalcMode"). */
const CALC_MODES: Readonly<Record<number, string>> = {
  0: 'FOREX',
  1: 'FUTURES',
  2: 'CFD',
  3: 'CFDINDEX',
  4: 'CFDLEVERAGE',
  5: 'FOREX_NO_LEVERAGE',
  32: 'EXCH_STOCKS',
  33: 'EXCH_FUTURES',
  34: 'EXCH_FUTURES_FORTS',
  35: 'EXCH_OPTIONS',
  36: 'EXCH_OPTIONS_MARGIN',
  37: 'EXCH_BONDS',
  38: 'EXCH_STOCKS_MOEX',
  39: 'EXCH_BONDS_MOEX',
  64: 'SERV_COLLATERAL',
};

/** Order types with the keys of their initial rates, first of today's servers, then of old ones. */
const RATE_KEYS: readonly (readonly [string, string, string])[] = [
  ['ORDER_TYPE_BUY', 'MarginInitialBuy', 'MarginLong'],
  ['ORDER_TYPE_SELL', 'MarginInitialSell', 'MarginShort'],
  ['ORDER_TYPE_BUY_LIMIT', 'MarginInitialBuyLimit', 'MarginLimit'],
  ['ORDER_TYPE_SELL_LIMIT', 'MarginInitialSellLimit', 'MarginLimit'],
  ['ORDER_TYPE_BUY_STOP', 'MarginInitialBuyStop', 'MarginStop'],
  ['ORDER_TYPE_SELL_STOP', 'MarginInitialSellStop', 'MarginStop'],
  ['ORDER_TYPE_BUY_STOP_LIMIT', 'MarginInitialBuyStopLimit', 'MarginStopLimit'],
  ['ORDER_TYPE_SELL_STOP_LIMIT', 'MarginInitialSellStopLimit', 'MarginStopLimit'],
];

/** Pairs that may convert between two currencies; longer lists of names are not pairs. */
const MAX_CONVERSION_SYMBOLS = 32;

function toMarginSymbol(row: P5Record): SymbolRecord {
  const rates = RATE_KEYS.flatMap(([type, key, oldKey]) => {
    const rate = optionalNumberOf(row, key) ?? optionalNumberOf(row, oldKey);
    return rate === undefined ? [] : [[type, rate] as const];
  });
  return {
    symbol: textOf(row, 'Symbol'),
    marginMode: marginModeOf(row),
    contractSize: numberOf(row, 'ContractSize'),
    currencyBase: textOf(row, 'CurrencyBase'),
    currencyProfit: textOf(row, 'CurrencyProfit'),
    currencyMargin: textOf(row, 'CurrencyMargin') || textOf(row, 'CurrencyBase'),
    digits: numberOf(row, 'Digits'),
    volumeMin: lotsOf(row, 'VolumeMin'),
    volumeMax: lotsOf(row, 'VolumeMax'),
    volumeStep: lotsOf(row, 'VolumeStep'),
    tickSize: optionalNumberOf(row, 'TickSize'),
    tickValue: optionalNumberOf(row, 'TickValue'),
    marginInitial: optionalNumberOf(row, 'MarginInitial'),
    marginMaintenance: optionalNumberOf(row, 'MarginMaintenance'),
    marginHedged: optionalNumberOf(row, 'MarginHedged'),
    marginRates: rates.length === 0 ? undefined : Object.fromEntries(rates),
    faceValue: optionalNumberOf(row, 'FaceValue'),
    priceSettle: optionalNumberOf(row, 'PriceSettle'),
  };
}

export function marginModeOf(row: P5Record): string {
  const calcMode = numberOf(row, 'CalcMode');
  return CALC_MODES[calcMode] ?? `CALC_MODE_${calcMode}`;
}

/** Extended volumes count 1e-8 lot, plain ones ten-thousandths. */
export function lotsOf(row: P5Record, key: string): number {
  const extended = numberOf(row, `${key}Ext`);
  return extended > 0 ? extended / 1e8 : numberOf(row, key) / 1e4;
}

/**
 * The symbol as the group sees it, with the pairs that may convert its margin to the group's
 * currency and their quotes. No symbols if the group does not see the symbol.
 */
export async function readMarket(
  client: P5Client,
  request: { group: string; currency: string; symbol: string; names: readonly string[] },
): Promise<PlatformMarket> {
  const { group, currency } = request;
  const read = async (symbol: string): Promise<SymbolRecord[]> =>
    (await batchOf(client, '/api/symbol/get_group', { symbol, group })).map(toMarginSymbol);
  const [main] = await read(request.symbol);
  if (!main) return { symbols: [], quotes: [] };
  const symbols = [main];
  const pairs = conversionNames(request.names, main.currencyMargin, currency);
  for (const name of pairs) if (name !== main.symbol) symbols.push(...(await read(name)));
  const ticks = await client.call({
    command: '/api/tick/last_group',
    params: { symbol: symbols.map(({ symbol }) => symbol).join(','), group, trans_id: 0 },
  });
  const quotes = rowsOf(ticks.answer).map((tick) => ({
    symbol: textOf(tick, 'Symbol'),
    bid: numberOf(tick, 'Bid'),
    ask: numberOf(tick, 'Ask'),
    brokerTimeMs: numberOf(tick, 'DatetimeMsc') || numberOf(tick, 'Datetime') * 1000,
  }));
  return { symbols, quotes };
}

/** Names that start with a pair of the two currencies, or of one of them and the dollar. */
function conversionNames(names: readonly string[], from: string, to: string): string[] {
  if (from === to) return [];
  const wanted = new Set(
    [
      [from, to],
      [from, 'USD'],
      [to, 'USD'],
    ].flatMap(([a, b]) => [`${a}${b}`, `${b}${a}`]),
  );
  return names.filter((name) => wanted.has(name.slice(0, 6))).slice(0, MAX_CONVERSION_SYMBOLS);
}
