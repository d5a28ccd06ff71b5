import type { OrderType } from '../../words/accounts.ts';
import { Exact } from './exact.ts';
import type { MarginSymbol } from './market.ts';
import { isMarketOrder } from './order-type.ts';
import type { Stage } from './rules.ts';

/**
 * Factor per order type, set separately for initial and maintenance margin. A maintenance rate of 0
 * falls back to the initial one; an initial rate of 0 charges nothing. Brokers charge pending
 * orders only if they set a rate for them.
 * Source: MetaTrader 5 Administrator help, Margin Rates.
 */
export function p5MarginRate(symbol: MarginSymbol, type: OrderType, stage: Stage): Exact {
  if (type === 'ORDER_TYPE_CLOSE_BY') return Exact.ZERO;
  const initial = symbol.marginRates?.[type] ?? (isMarketOrder(type) ? 1 : 0);
  if (stage === 'initial') return Exact.of(initial);
  return Exact.of(symbol.maintenanceMarginRates?.[type] || initial);
}

/**
 * One percentage per symbol; pending orders carry no margin.
 * Source: MetaTrader 4 Administrator help, Margin Calculation.
 */
export function p4MarginRate(symbol: MarginSymbol, type: OrderType): Exact {
  if (!isMarketOrder(type)) return Exact.ZERO;
  return Exact.of(symbol.percentage ?? 100).over(Exact.of(100));
}
