import { Exact } from './exact.ts';
import type { SymbolHolding } from './legs.ts';
import { larger, legMargin, legOf, netLeg, pendingMargin } from './legs.ts';
import { pendingTypes } from './order-type.ts';
import type { Leg } from './rules.ts';

/**
 * Margin of one symbol on an account that may hold both sides at once, in whole units of the
 * account's currency digits. Either the larger side; or the uncovered volume, at the larger side's
 * average price and rate, plus the covered volume, by the symbol's marginHedged (0 makes it free)
 * at the mean of both rates, plus pending orders. Each part is rounded before it is added, as the
 * platforms print it.
 * Source: Administrator help of MetaTrader 5, Hedging, and of MetaTrader 4, Hedged margin.
 */
export function hedgedMargin(holding: SymbolHolding): bigint {
  const long = legOf(holding, 'ORDER_TYPE_BUY');
  const short = legOf(holding, 'ORDER_TYPE_SELL');
  const pendingBuys = pendingMargin(holding, pendingTypes('buy'));
  const pendingSells = pendingMargin(holding, pendingTypes('sell'));
  if (holding.symbol.hedgeByLargerLeg)
    return larger(
      (long ? legMargin(holding, long, 'ORDER_TYPE_BUY', 'maintenance') : 0n) + pendingBuys,
      (short ? legMargin(holding, short, 'ORDER_TYPE_SELL', 'maintenance') : 0n) + pendingSells,
    );
  const uncovered = netLeg(long, short);
  return (
    (uncovered ? legMargin(holding, uncovered.leg, uncovered.type, 'maintenance') : 0n) +
    (long && short ? coveredMargin(holding, long, short) : 0n) +
    pendingBuys +
    pendingSells
  );
}

function coveredMargin(holding: SymbolHolding, long: Leg, short: Leg): bigint {
  const { symbol, account, rules } = holding;
  const lots = long.lots.compare(short.lots) < 0 ? long.lots : short.lots;
  const { price, conversion } = rules.coveredPrices(long, short);
  const rate = rules
    .rate(symbol, 'ORDER_TYPE_BUY', 'maintenance')
    .plus(rules.rate(symbol, 'ORDER_TYPE_SELL', 'maintenance'))
    .over(Exact.of(2));
  return rules
    .coveredMargin(symbol, lots, price, account.leverage)
    .times(conversion)
    .times(rate)
    .roundedUnits(account.currencyDigits);
}
