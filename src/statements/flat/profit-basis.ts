import { fromVolume, type Money } from '../../domain/money.ts';
import type { TradeRow } from './trade-rows.ts';

/** Trades of a symbol that tell something together. */
const TRADES_MIN = 3;
/** How much steadier the money of a move must be one way, to prove that the profit is meant so. */
const STEADIER = 0.5;
/** Share of rows that must agree with what is said of all. */
const AGREEMENT = 0.9;

export const costsOf = ({ swap, commission, fee }: TradeRow): Money => swap + commission + fee;

/**
 * Costs that are listed as positive amounts throughout; they are turned. Answers the columns
 * turned.
 */
export function turnPositiveCosts(trades: TradeRow[]): string[] {
  return (['commission', 'fee'] as const).filter((name) => {
    const amounts = trades.map((trade) => trade[name]).filter((amount) => amount !== 0);
    if (amounts.length === 0 || amounts.some((amount) => amount < 0)) return false;
    for (const trade of trades) if (trade[name] !== 0) trade[name] = -trade[name];
    return true;
  });
}

/**
 * Whether the listed profit has the costs in it already. Told by a net column beside it, else by
 * the prices: what a lot earns for a move of 1 is about the same for all trades of a symbol, if the
 * costs are where they belong. Undefined when neither tells.
 */
export function isNetProfit(trades: readonly TradeRow[]): boolean | undefined {
  const paid = trades.filter((trade) => costsOf(trade) !== 0);
  if (paid.length === 0) return undefined;
  const both = paid.filter(({ netProfit }) => netProfit !== undefined);
  const isGross = both.filter((trade) => trade.netProfit === trade.profit + costsOf(trade));
  if (both.length > 0 && isGross.length >= AGREEMENT * both.length) return false;
  let [gross, net] = [0, 0];
  for (const some of Map.groupBy(trades, ({ symbol }) => symbol).values()) {
    const withoutCosts = spreadOf(some, (trade) => trade.profit);
    const withCosts = spreadOf(some, (trade) => trade.profit - costsOf(trade));
    if (withoutCosts === undefined || withCosts === undefined) continue;
    if (withoutCosts < STEADIER * withCosts) gross += 1;
    if (withCosts < STEADIER * withoutCosts) net += 1;
  }
  return gross === net ? undefined : net > gross;
}

/** Median distance of what a lot earns for a move of 1 from its median, as a share. */
function spreadOf(
  trades: readonly TradeRow[],
  moneyOf: (trade: TradeRow) => Money,
): number | undefined {
  const rates = trades.flatMap((trade) => {
    const { isBuy, openPrice, closePrice, volume } = trade;
    if (openPrice === undefined || closePrice === undefined) return [];
    const moved = (closePrice - openPrice) * (isBuy ? 1 : -1) * fromVolume(volume);
    return moved === 0 ? [] : [moneyOf(trade) / moved];
  });
  if (rates.length < TRADES_MIN) return undefined;
  const middle = medianOf(rates);
  return middle > 0 ? medianOf(rates.map((rate) => Math.abs(rate - middle))) / middle : undefined;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
