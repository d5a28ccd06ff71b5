import { p5ConversionRate } from './conversion.ts';
import { Exact } from './exact.ts';
import { p5MarginRate } from './margin-rates.ts';
import type { MarginSymbol } from './market.ts';
import type { FamilyRules, Leg, Stage } from './rules.ts';
import { required } from './unavailable.ts';

/** How the p5 platform calculates. EXCH_FUTURES_FORTS is a special case: see `fortsMargin`. */
export const P5_RULES: FamilyRules = {
  basicMargin(symbol, lots, price, leverage, stage) {
    if (symbol.marginMode === 'SERV_COLLATERAL') return Exact.ZERO;
    const amount = fixedAmount(symbol, stage);
    if (amount === undefined)
      return formulaMargin(symbol, lots.times(Exact.of(symbol.contractSize)), price, leverage);
    const margin = lots.times(Exact.of(amount));
    return symbol.marginMode === 'FOREX' || symbol.marginMode === 'CFDLEVERAGE'
      ? margin.over(Exact.of(required(leverage, 'the leverage')))
      : margin;
  },
  rate: p5MarginRate,
  conversionRate: p5ConversionRate,
  coveredMargin(symbol, lots, price, leverage) {
    if (symbol.marginMode === 'SERV_COLLATERAL') return Exact.ZERO;
    const hedged = lots.times(Exact.of(symbol.marginHedged ?? 0));
    return fixedAmount(symbol, 'maintenance') === undefined
      ? formulaMargin(symbol, hedged, price, leverage)
      : hedged;
  },
  /** Weighted averages of all positions (MetaTrader 5 Administrator help, Hedging). */
  coveredPrices(long, short) {
    const lots = long.lots.plus(short.lots);
    const average = (of: (leg: Leg) => Exact) =>
      of(long).times(long.lots).plus(of(short).times(short.lots)).over(lots);
    return { price: average((leg) => leg.price), conversion: average((leg) => leg.conversion) };
  },
};

/**
 * Amount per lot that replaces the formula, in margin currency; undefined if the formula applies.
 * Futures have no formula; options have one if neither amount is set, all others if the initial
 * margin is not set. A maintenance margin that is not set is the initial margin.
 * Source: MetaTrader 5 Administrator help, Basic Margin Calculation (Futures, Fixed Margin).
 */
function fixedAmount(symbol: MarginSymbol, stage: Stage): number | undefined {
  const initial = symbol.marginInitial ?? 0;
  const maintenance = symbol.marginMaintenance || initial;
  switch (symbol.marginMode) {
    case 'FUTURES':
    case 'EXCH_FUTURES':
      return stage === 'initial' ? initial : maintenance;
    case 'EXCH_OPTIONS':
    case 'EXCH_OPTIONS_MARGIN':
      if (maintenance === 0) return undefined;
      return stage === 'initial' ? initial || maintenance : maintenance;
    case 'FOREX':
    case 'FOREX_NO_LEVERAGE':
    case 'CFD':
    case 'CFDINDEX':
    case 'CFDLEVERAGE':
    case 'EXCH_STOCKS':
    case 'EXCH_STOCKS_MOEX':
    case 'EXCH_FUTURES_FORTS':
    case 'EXCH_BONDS':
    case 'EXCH_BONDS_MOEX':
    case 'SERV_COLLATERAL':
      if (initial === 0) return undefined;
      return stage === 'initial' ? initial : maintenance;
  }
}

/**
 * Margin of `units` (lots × contract size) by the symbol's mode, in margin currency.
 * Source: MetaTrader 5 Administrator help, Basic Margin Calculation.
 */
function formulaMargin(symbol: MarginSymbol, units: Exact, price: Exact, leverage: number): Exact {
  switch (symbol.marginMode) {
    case 'FOREX':
      return units.over(Exact.of(required(leverage, 'the leverage')));
    case 'FOREX_NO_LEVERAGE':
      return units;
    case 'CFDLEVERAGE':
      return units.times(price).over(Exact.of(required(leverage, 'the leverage')));
    case 'CFDINDEX': {
      const tickValue = Exact.of(required(symbol.tickValue, `tickValue of ${symbol.symbol}`));
      const tickSize = Exact.of(required(symbol.tickSize, `tickSize of ${symbol.symbol}`));
      return units.times(price).times(tickValue).over(tickSize);
    }
    case 'EXCH_BONDS':
    case 'EXCH_BONDS_MOEX': {
      const faceValue = Exact.of(required(symbol.faceValue, `faceValue of ${symbol.symbol}`));
      return units.times(faceValue).times(price).over(Exact.of(100));
    }
    case 'CFD':
    case 'FUTURES':
    case 'EXCH_STOCKS':
    case 'EXCH_STOCKS_MOEX':
    case 'EXCH_FUTURES':
    case 'EXCH_FUTURES_FORTS':
    case 'EXCH_OPTIONS':
    case 'EXCH_OPTIONS_MARGIN':
    case 'SERV_COLLATERAL':
      return units.times(price);
  }
}
