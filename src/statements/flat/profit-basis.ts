import { fromUnits, fromVolume, type Money } from '../../domain/money.ts';
import { type Fact, judge, majority } from '../readings.ts';
import { isFollowed, runningBalance } from '../running-balance.ts';
import type { FlatContext } from './flat-context.ts';
import type { TradeRow } from './trade-rows.ts';

/** Trades of a symbol needed together for a conclusion. */
const TRADES_MIN = 3;
/**
 * How much steadier one way must make the money of a move, to prove that the profit is meant so.
 */
const STEADIER = 0.5;
/** The rounding of amounts in the currency. */
const ROUNDING = 0.006;
/** Money of a lot and a price move of 1 is the contract size: 100 000, 5 000, 50, 250. */
const SIZES = [1, 2, 2.5, 5, 10];
/** An amount this coarse reveals no size. */
const COARSE = 0.01;

export const costsOf = ({ swap, commission, fee }: TradeRow): Money => swap + commission + fee;

/** Columns of a table's costs, and their sign. */
type Basis = 'beside' | 'inside';
type Signs = 'as listed' | 'turned';
type Named = { basis?: Basis | undefined; signs?: Signs | undefined };

const withSigns = (trade: TradeRow, signs: Signs): Money =>
  signs === 'turned' ? trade.swap - trade.commission - trade.fee : costsOf(trade);

/** A trade's effect on the balance. */
const moved = (trade: TradeRow, basis: Basis, signs: Signs): Money =>
  basis === 'inside' ? trade.profit : trade.profit + withSigns(trade, signs);

/**
 * Turns every profit into the one before costs, and makes every cost negative. `named` is the basis
 * named by the heading of the profit, or by the table's user.
 */
export function settleProfits(
  trades: TradeRow[],
  named: Named,
  usual: Basis,
  context: FlatContext,
): void {
  const paid = trades.filter((trade) => costsOf(trade) !== 0);
  if (paid.length === 0) return;
  settleSigns(trades, paid, named.signs, context);
  settleBasis(trades, paid, named.basis, usual, context);
}

function settleSigns(
  trades: TradeRow[],
  paid: readonly TradeRow[],
  named: Signs | undefined,
  context: FlatContext,
): void {
  const amounts = paid.flatMap(({ commission, fee }) => [commission, fee]).filter(Boolean);
  const positive = amounts.filter((amount) => amount > 0).length;
  if (positive === 0) return;
  const usual: Signs = positive * 2 > amounts.length ? 'turned' : 'as listed';
  const { answer, verdict } = judge<Signs>(
    [
      () =>
        majority(
          paid.map((trade) => byNet(trade)?.signs),
          1,
        ),
      () => named,
      () => byBalance(trades, context)?.signs,
    ],
    usual,
  );
  const isMixed = positive < amounts.length;
  const names = (['commission', 'fee'] as const).filter((name) =>
    trades.some((trade) => trade[name] > 0),
  );
  context.warnings.reading(
    'cost signs',
    answer,
    verdict,
    `The file lists ${isMixed ? 'amounts of both signs' : 'every amount'} as ${names.join(' and ')}` +
      `${isMixed ? '' : ' as a positive one'}: positive amounts were counted as ` +
      `${answer === 'turned' ? 'costs' : 'income'}`,
  );
  if (answer === 'as listed') return;
  for (const trade of trades) {
    trade.commission = -trade.commission || 0;
    trade.fee = -trade.fee || 0;
  }
}

function settleBasis(
  trades: TradeRow[],
  paid: readonly TradeRow[],
  named: Basis | undefined,
  usual: Basis,
  context: FlatContext,
): void {
  const { warnings, moneyDigits } = context;
  const facts: Fact<Basis>[] = [
    () =>
      majority(
        paid.map((trade) => byNet(trade)?.basis),
        1,
      ),
    () => named,
    () => byBalance(trades, context)?.basis,
    () =>
      majority(
        paid.map((trade) => bySize(trade, moneyDigits)),
        1,
      ),
    () => bySteadiness(trades),
  ];
  const { answer, verdict } = judge(facts, usual);
  const costs = trades.reduce((sum, trade) => sum + costsOf(trade), 0);
  const listed = trades.reduce((sum, { profit }) => sum + profit, 0);
  const amount = (money: Money) => fromUnits(money, moneyDigits);
  const [net, other] = answer === 'inside' ? [listed, listed + costs] : [listed + costs, listed];
  warnings.reading(
    'costs',
    answer,
    verdict,
    `${verdict === 'assumed' ? 'Nothing in the file shows' : 'The file contradicts itself on'} ` +
      `whether its profits include the costs of ${amount(costs)}: they were ` +
      `${answer === 'inside' ? 'not charged again' : 'charged on top'}. The net profit is ` +
      `${amount(net)}; read the other way it would be ${amount(other)}`,
  );
  if (answer === 'inside') for (const trade of trades) trade.profit -= costsOf(trade);
}

/** By a net profit in another column, to the unit. */
function byNet(trade: TradeRow): { basis: Basis; signs: Signs | undefined } | undefined {
  const { netProfit, profit, commission, fee } = trade;
  if (netProfit === undefined) return undefined;
  const signs = (['as listed', 'turned'] as const).filter(
    (each) => netProfit === profit + withSigns(trade, each),
  );
  if (signs.length === 0) return undefined;
  return { basis: 'beside', signs: commission + fee === 0 ? undefined : signs[0] };
}

/** By the balances in the rows, if only one way leads from each to the next. */
function byBalance(
  trades: readonly TradeRow[],
  { moneyDigits }: FlatContext,
): { basis: Basis; signs: Signs | undefined } | undefined {
  if (!trades.some(({ balance }) => balance !== undefined)) return undefined;
  const ways = (['beside', 'inside'] as const).flatMap((basis) =>
    (['as listed', 'turned'] as const).map((signs) => ({ basis, signs })),
  );
  const fitting = ways.filter(({ basis, signs }) => {
    const rows = trades.map((trade) => ({
      ...{ timeMs: trade.closeTimeMs, balance: trade.balance },
      money: moved(trade, basis, signs),
    }));
    const found = runningBalance(rows, moneyDigits);
    return found !== undefined && isFollowed(found);
  });
  const bases = new Set(fitting.map(({ basis }) => basis));
  const [first] = fitting;
  if (!first || bases.size !== 1) return undefined;
  const signs = fitting.length === 1 && first.basis === 'beside' ? first.signs : undefined;
  return { basis: first.basis, signs };
}

/** By prices × volume: only one way gives the size of a contract. */
function bySize(trade: TradeRow, moneyDigits: number): Basis | undefined {
  const move = moveOf(trade);
  if (move === undefined) return undefined;
  const isSize = (money: Money): boolean => {
    const rate = fromUnits(money, moneyDigits) / move;
    const within = ROUNDING / Math.abs(move) / Math.abs(rate);
    if (!(rate > 0) || !(within < COARSE)) return false;
    const mantissa = rate / 10 ** Math.floor(Math.log10(rate));
    return SIZES.some((size) => Math.abs(mantissa / size - 1) <= within);
  };
  const [beside, inside] = [isSize(trade.profit), isSize(trade.profit - costsOf(trade))];
  return beside === inside ? undefined : beside ? 'beside' : 'inside';
}

/** By the money of a lot for a move of 1, which is about equal for all trades of a symbol. */
function bySteadiness(trades: readonly TradeRow[]): Basis | undefined {
  let [beside, inside] = [0, 0];
  for (const some of Map.groupBy(trades, ({ symbol }) => symbol).values()) {
    const withoutCosts = spreadOf(some, (trade) => trade.profit);
    const withCosts = spreadOf(some, (trade) => trade.profit - costsOf(trade));
    if (withoutCosts === undefined || withCosts === undefined) continue;
    if (withoutCosts < STEADIER * withCosts) beside += 1;
    if (withCosts < STEADIER * withoutCosts) inside += 1;
  }
  return beside === inside ? undefined : inside > beside ? 'inside' : 'beside';
}

/** Lots times the move of the price in the trade's favour; undefined if it did not move. */
export function moveOf(trade: TradeRow): number | undefined {
  const { isBuy, openPrice, closePrice, volume } = trade;
  if (openPrice === undefined || closePrice === undefined) return undefined;
  return (closePrice - openPrice) * (isBuy ? 1 : -1) * fromVolume(volume) || undefined;
}

/** Median distance of the money of a lot for a move of 1 from its median, as a share. */
function spreadOf(
  trades: readonly TradeRow[],
  moneyOf: (trade: TradeRow) => Money,
): number | undefined {
  const rates = trades.flatMap((trade) => {
    const move = moveOf(trade);
    return move === undefined ? [] : [moneyOf(trade) / move];
  });
  if (rates.length < TRADES_MIN) return undefined;
  const middle = medianOf(rates);
  return middle > 0 ? medianOf(rates.map((rate) => Math.abs(rate - middle))) / middle : undefined;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
