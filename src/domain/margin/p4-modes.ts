import { p4ConversionRate } from './conversion.ts';
import { Exact } from './exact.ts';
import { p4MarginRate } from './margin-rates.ts';
import type { MarginSymbol } from './market.ts';
import type { FamilyRules } from './rules.ts';
import { MarginUnavailable, required } from './unavailable.ts';

const TWO = Exact.of(2);

/** How the p4 platform calculates. Source: MetaTrader 4 Administrator help, Margin Calculation. */
export const P4_RULES: FamilyRules = {
  /** Only futures distinguish initial and maintenance margin. */
  basicMargin(symbol, lots, price, leverage, stage) {
    const initial = symbol.marginInitial ?? 0;
    if (symbol.marginMode === 'FUTURES') {
      const amount = stage === 'initial' ? initial : symbol.marginMaintenance || initial;
      return lots.times(Exact.of(amount));
    }
    if (initial === 0)
      return formulaMargin(symbol, lots.times(Exact.of(symbol.contractSize)), price, leverage);
    const margin = lots.times(Exact.of(initial));
    return symbol.marginMode === 'FOREX' || symbol.marginMode === 'CFDLEVERAGE'
      ? margin.over(Exact.of(required(leverage, 'the leverage')))
      : margin;
  },
  rate: p4MarginRate,
  conversionRate: p4ConversionRate,
  /** Both covered lots are charged: marginHedged 50000 of 100000 makes a pair cost one lot. */
  coveredMargin(symbol, lots, price, leverage) {
    const hedged = lots.times(TWO).times(Exact.of(symbol.marginHedged ?? 0));
    return symbol.marginMode === 'FUTURES' || (symbol.marginInitial ?? 0) !== 0
      ? hedged
      : formulaMargin(symbol, hedged, price, leverage);
  },
  coveredPrices: (long, short) => ({
    price: long.price.plus(short.price).over(TWO),
    conversion: long.conversion.plus(short.conversion).over(TWO),
  }),
};

/** Margin of `units` (lots × contract size) by the symbol's mode, in margin currency. */
function formulaMargin(symbol: MarginSymbol, units: Exact, price: Exact, leverage: number): Exact {
  switch (symbol.marginMode) {
    case 'FOREX':
      return units.over(Exact.of(required(leverage, 'the leverage')));
    case 'CFD':
      return units.times(price);
    case 'CFDLEVERAGE':
      return units.times(price).over(Exact.of(required(leverage, 'the leverage')));
    case 'CFDINDEX': {
      const tickValue = Exact.of(required(symbol.tickValue, `tickValue of ${symbol.symbol}`));
      const tickSize = Exact.of(required(symbol.tickSize, `tickSize of ${symbol.symbol}`));
      return units.times(price).times(tickValue).over(tickSize);
    }
    default:
      throw new MarginUnavailable(`p4 platforms have no margin mode ${symbol.marginMode}`);
  }
}
