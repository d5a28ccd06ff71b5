import type { Money } from '../../domain/money.ts';
import { unitsOf } from '../numbers.ts';
import type { Stated, StatedDrawdown, StatedFigures } from '../statement.ts';

/** `1:100` is 100. */
export function leverageOf(text: string): number | undefined {
  const [, ratio] = /^1 ?: ?([1-9]\d{0,5})$/.exec(text) ?? [];
  return ratio === undefined ? undefined : Number(ratio);
}

/** The figures of a report by meaning; p4 and p5 have different words for some. */
export function statedOf(figures: StatedFigures, moneyDigits: number): Stated {
  const money = (...keys: string[]): Money | undefined => {
    const value = keys.map((key) => figures[key]).find((each) => each !== undefined);
    return value === undefined ? undefined : unitsOf(value, moneyDigits);
  };
  const drawdown = (key: string): StatedDrawdown | undefined => {
    const amount = money(key);
    const percent = figures[`${key}_pct`];
    return amount === undefined && percent === undefined ? undefined : { amount, percent };
  };
  return {
    balance: money('balance'),
    equity: money('equity'),
    credit: money('credit_facility'),
    floatingProfit: money('floating_pl'),
    initialDeposit: money('initial_deposit'),
    transfers: money('deposit_withdrawal'),
    netProfit: money('total_net_profit', 'closed_trade_pl'),
    trades: figures.total_trades,
    deals: figures.total_deals,
    maximalBalanceDrawdown: drawdown('balance_drawdown_maximal'),
    maximalEquityDrawdown: drawdown('equity_drawdown_maximal'),
    figures,
  };
}
