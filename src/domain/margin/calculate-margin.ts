import { Exact } from './exact.ts';
import { FAMILY_RULES } from './family-rules.ts';
import { fortsMargin } from './forts.ts';
import { isForexMode } from './margin-mode.ts';
import type { MarginSymbol, MarketData } from './market.ts';
import type { CheckedOrder, MarginFault, MarginOrder } from './order-checks.ts';
import { checkOrder } from './order-checks.ts';
import { sideOf } from './order-type.ts';
import { amountOf } from './result.ts';
import type { MarginAccount } from './rules.ts';
import { tierParts } from './tiers.ts';
import { MarginUnavailable } from './unavailable.ts';

/**
 * `margin` in the account's currency; or why it is unknown although the order is valid; or every
 * fault of the order.
 */
/** The basis of a margin: the mode's formula, a fixed amount per lot, or tiers. */
export type MarginBasis = 'formula' | 'fixed' | 'tiers';

export type MarginResult =
  | { margin: number }
  | { unavailable: string }
  | { faults: readonly MarginFault[] };

export type MarginInput = { order: MarginOrder; account: MarginAccount; market: MarketData };

/**
 * The margin that an order needs on an account that holds nothing else, in the account's currency:
 * basic margin × conversion × rate, rounded once to the currency's digits, half away from zero.
 * Source: MetaTrader 5 Administrator help, Margin Calculation, and MQL5 reference, OrderCalcMargin.
 */
export function calculateMargin({ order, account, market }: MarginInput): MarginResult {
  const checked = checkOrder(order, market);
  if ('faults' in checked) return checked;
  try {
    const { symbol } = checked.order;
    const doubt = doubtOf(symbol);
    if (doubt) return { unavailable: doubt };
    const margin = orderMargin(checked.order, account, market);
    return { margin: amountOf(margin.roundedUnits(account.currencyDigits), account) };
  } catch (error) {
    if (error instanceof MarginUnavailable) return { unavailable: error.message };
    throw error;
  }
}

export const basisOf = ({ leverageTiers = [], marginInitial = 0 }: MarginSymbol): MarginBasis => {
  if (leverageTiers.length > 0) return 'tiers';
  return marginInitial > 0 ? 'fixed' : 'formula';
};

/** Six letters, perhaps with a suffix of the broker. */
const PAIR = /^([A-Z]{3})([A-Z]{3})(?![A-Z])/;

/** Servers are known to report one base currency for all pairs: its margin would be wrong. */
function doubtOf(symbol: MarginSymbol): string | undefined {
  const { currencyBase, currencyProfit, currencyMargin } = symbol;
  const [, base, profit] = PAIR.exec(symbol.symbol) ?? [];
  const isOther = base !== undefined && base !== currencyBase && profit === currencyProfit;
  const isBased = currencyMargin === currencyBase && currencyBase !== currencyProfit;
  return isForexMode(symbol.marginMode) && isOther && isBased
    ? `${base}${profit} is reported with the base currency ${currencyBase}`
    : undefined;
}

function orderMargin(order: CheckedOrder, account: MarginAccount, market: MarketData): Exact {
  const { symbol, type } = order;
  const rules = FAMILY_RULES[account.family];
  const rate = rules.rate(symbol, type, 'initial');
  if (rate.isZero) return Exact.ZERO;
  const lots = Exact.of(order.volume);
  const price = Exact.of(order.openPrice);
  const { currency, leverage } = account;
  const isForts = symbol.marginMode === 'EXCH_FUTURES_FORTS';
  const basic = isForts
    ? fortsMargin(symbol, [{ type, lots, price, factor: Exact.ONE }])
    : tierParts(order.volume, leverage, symbol.leverageTiers ?? [])
        .map((part) => rules.basicMargin(symbol, part.lots, price, part.leverage, 'initial'))
        .reduce((sum, part) => sum.plus(part), Exact.ZERO);
  // An order that is not charged needs no prices for conversion.
  if (basic.isZero) return Exact.ZERO;
  const side = sideOf(type);
  const conversion = rules.conversionRate({ symbol, side, openPrice: price, currency, market });
  return basic.times(conversion).times(rate);
}
