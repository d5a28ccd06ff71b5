import { Exact } from './exact.ts';
import { FAMILY_RULES } from './family-rules.ts';
import { fortsMargin } from './forts.ts';
import { hedgedMargin } from './hedging.ts';
import type { HeldOrder, SymbolHolding } from './legs.ts';
import { conversionOf } from './legs.ts';
import type { MarketData } from './market.ts';
import { nettedMargin } from './netting.ts';
import { isMarketOrder } from './order-type.ts';
import { amountOf } from './result.ts';
import type { MarginAccount } from './rules.ts';
import { MarginUnavailable } from './unavailable.ts';

/** Whether the account may hold both sides of a symbol at once (p4 accounts always may). */
export type PositionAccounting = 'hedging' | 'netting';

export type PositionsMarginInput = {
  held: readonly HeldOrder[];
  account: MarginAccount & { accounting: PositionAccounting };
  market: MarketData;
};

/**
 * Margin of all positions and pending orders that an account holds, in the account's currency: each
 * symbol is calculated and rounded separately, then all are added. Positions count at their open
 * price, with maintenance margin and rates; pending orders at their order price with initial ones.
 */
export function positionsMargin({
  held,
  account,
  market,
}: PositionsMarginInput): { margin: number } | { unavailable: string } {
  const rules = FAMILY_RULES[account.family];
  let sum = 0n;
  try {
    for (const [name, orders] of Map.groupBy(held, (order) => order.symbol)) {
      const symbol = market.symbol(name);
      if (!symbol) throw new MarginUnavailable(`symbol ${name} is not known`);
      const holding = { symbol, held: orders, account, market, rules };
      sum += symbolMargin(holding, account.accounting);
    }
    return { margin: amountOf(sum, account) };
  } catch (error) {
    if (error instanceof MarginUnavailable) return { unavailable: error.message };
    throw error;
  }
}

function symbolMargin(holding: SymbolHolding, accounting: PositionAccounting): bigint {
  const { marginMode } = holding.symbol;
  if (marginMode === 'SERV_COLLATERAL') return 0n;
  if (marginMode === 'EXCH_FUTURES_FORTS') return fortsHoldingMargin(holding);
  return accounting === 'netting' ? nettedMargin(holding) : hedgedMargin(holding);
}

function fortsHoldingMargin(holding: SymbolHolding): bigint {
  const { symbol, held, account, rules } = holding;
  const items = held.flatMap((order) => {
    const { type, volume, openPrice } = order;
    const rate = rules.rate(symbol, type, isMarketOrder(type) ? 'maintenance' : 'initial');
    // Uncharged positions need no prices.
    if (rate.isZero) return [];
    const factor = rate.times(conversionOf(holding, order));
    return [{ type, lots: Exact.of(volume), price: Exact.of(openPrice), factor }];
  });
  if (items.length === 0) return 0n;
  return fortsMargin(symbol, items).roundedUnits(account.currencyDigits);
}
