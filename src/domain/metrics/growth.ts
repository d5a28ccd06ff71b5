import type { DealType } from '../../words/deals.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import { isTransfer } from './transfers.ts';

/** Growth stops counting here, so that gains on next to nothing never overflow. */
const MOST_GROWTH = 1e15;

/** Money booked at a moment: all that one deal adds to the account. */
export type Booking = { timeMs: BrokerTimeMs; type: DealType; money: Money };

/**
 * The course of an account so far, by bookings. Each result has the factor 1 + result / balance
 * before it, each transfer 1; their product is the time-weighted index. Between two transfers the
 * factors make 1 + P/OB with the result P of the sub-period and its opening balance OB, the rule
 * that Myfxbook publishes for gain. A result that meets no positive balance has the factor 1, since
 * it has no rate; one that loses everything has 0. Credit is not counted.
 */
export type Growth = {
  balance: Money;
  /** Sum of the results, without deposits and withdrawals. */
  result: Money;
  /** The present value of one unit of capital invested at the start. */
  index: number;
  deposits: Money;
  withdrawals: Money;
  credit: Money;
  /** The highest balance, and when it was first there. */
  highestBalance: Money;
  highestBalanceTimeMs?: BrokerTimeMs | undefined;
  /**
   * Whether there was money before the first result. If not, the history lacks the money that the
   * account traded with, and no gain or drawdown in percent is defined.
   */
  isFunded?: boolean | undefined;
  /** The highest of result and index, the start included. */
  highResult: Money;
  highIndex: number;
  /** How far the result fell below the start, and the largest falls below the highest. */
  absoluteFall: Money;
  maximalFall: Money;
  maximalFallPercent: number;
};

export const noGrowth = (): Growth => ({
  ...{ balance: 0, result: 0, index: 1, deposits: 0, withdrawals: 0, credit: 0 },
  ...{ highestBalance: 0, highResult: 0, highIndex: 1 },
  ...{ absoluteFall: 0, maximalFall: 0, maximalFallPercent: 0 },
});

/** Adds a booking, and returns its factor. */
export function grow(growth: Growth, { timeMs, type, money }: Booking): number {
  if (isCredit({ type })) {
    growth.credit += money;
    return 1;
  }
  const factor = isTransfer({ type }) ? transfer(growth, money) : earn(growth, money);
  growth.balance += money;
  if (growth.highestBalanceTimeMs === undefined || growth.balance > growth.highestBalance) {
    growth.highestBalance = growth.balance;
    growth.highestBalanceTimeMs = timeMs;
  }
  return factor;
}

function transfer(growth: Growth, money: Money): number {
  if (money > 0) growth.deposits += money;
  else growth.withdrawals -= money;
  return 1;
}

function earn(growth: Growth, money: Money): number {
  growth.isFunded ??= growth.balance > 0;
  const factor = growth.balance > 0 ? Math.max(0, 1 + money / growth.balance) : 1;
  growth.index = chained(growth.index, factor);
  growth.result += money;
  growth.highResult = Math.max(growth.highResult, growth.result);
  growth.highIndex = Math.max(growth.highIndex, growth.index);
  growth.absoluteFall = Math.max(growth.absoluteFall, -growth.result);
  growth.maximalFall = Math.max(growth.maximalFall, fallOf(growth));
  growth.maximalFallPercent = Math.max(growth.maximalFallPercent, fallPercentOf(growth));
  return factor;
}

/** How far the result lies below its highest. */
export const fallOf = ({ highResult, result }: Growth): Money => highResult - result;

/** How far the index lies below its highest, in percent of that. */
export const fallPercentOf = ({ highIndex, index }: Growth): number =>
  (1 - index / highIndex) * 100;

/** The product of the factors so far and one more, up to MOST_GROWTH. */
export const chained = (product: number, factor: number): number =>
  Math.min(product * factor, MOST_GROWTH);

/** A product of factors as a gain in percent: 5 for 1.05. Rounded to 1e-8. */
export const gainPercentOf = (product: number): number => rounded((product - 1) * 100);

/** Rounded to 1e-8: anything finer is noise of doubles. Never -0. */
export const rounded = (percent: number): number => Number(percent.toFixed(8)) || 0;
