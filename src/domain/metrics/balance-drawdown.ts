import type { Money } from '../money.ts';

/** Falls of a balance, as the terminals' reports state them; all at least 0. */
export type BalanceDrawdown = {
  /** Start less lowest balance. */
  absolute: Money;
  /** The largest fall from a high in money, and the same fall in percent of its high. */
  maximal: Money;
  maximalPercent: number;
  /** The fall that is largest in percent of its high, and its money. */
  relative: Money;
  relativePercent: number;
};

/** A moving balance, and its falls so far. */
export type BalanceCourse = BalanceDrawdown & { balance: Money; high: Money };

/** @param start balance before the first result; the first high */
export const beginCourse = (start: Money): BalanceCourse => ({
  ...{ balance: start, high: start, absolute: 0 },
  ...{ maximal: 0, maximalPercent: 0, relative: 0, relativePercent: 0 },
});

/** Adds money to the start: it moves the balance and its high, but is no gain or fall. */
export function raiseStart(course: BalanceCourse, money: Money): void {
  course.balance += money;
  course.high += money;
}

export function moveBalance(course: BalanceCourse, start: Money, result: Money): void {
  course.balance += result;
  course.high = Math.max(course.high, course.balance);
  course.absolute = Math.max(course.absolute, start - course.balance);
  const fall = course.high - course.balance;
  const percent = course.high > 0 ? (fall / course.high) * 100 : 0;
  if (fall > course.maximal) [course.maximal, course.maximalPercent] = [fall, percent];
  if (percent > course.relativePercent) [course.relative, course.relativePercent] = [fall, percent];
}

/**
 * Source: MetaTrader 5 help, Trading report, Balance Drawdown.
 * @param start balance before the first result; the first high
 * @param results changes of the balance, in order
 */
export function balanceDrawdownOf(start: Money, results: readonly Money[]): BalanceDrawdown {
  const course = beginCourse(start);
  for (const result of results) moveBalance(course, start, result);
  return drawdownFrom(course);
}

export const drawdownFrom = (course: BalanceCourse): BalanceDrawdown => {
  const { absolute, maximal, maximalPercent, relative, relativePercent } = course;
  return { absolute, maximal, maximalPercent, relative, relativePercent };
};
