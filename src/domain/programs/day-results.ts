import type { Money } from '../money.ts';
import { DAYS_KEPT, type LiveEnrolment } from './live-enrolment.ts';

/*
 * The result of each day, by the times of its deals, however late a deal becomes known. The newest
 * days are kept singly; older ones are settled: a deal from so far back counts in the sum of all
 * days, but in no day. A payout begins all of it anew with the day after its own.
 */

/** Figures over the days of a phase. */
export type DayFigures = {
  /** Sum of all days, and of those that won. */
  total: Money;
  winning: Money;
  /** The best day so far, 0 if none won. */
  best: Money;
  tradingDays: number;
  /** Counts only days that are over. */
  profitableDays: number;
  today: Money;
};

export function startDays(enrolment: LiveEnrolment, day: number): void {
  enrolment.total = 0;
  enrolment.settledWinning = 0;
  enrolment.settledBest = 0;
  enrolment.settledProfitable = 0;
  enrolment.settledTraded = 0;
  enrolment.lastDay = day;
  enrolment.tradedDays = 0;
  enrolment.payouts = 0;
  enrolment.paidOut = 0;
  enrolment.lastPayoutDay = Number.NaN;
  for (let kept = 0; kept < DAYS_KEPT; kept += 1) enrolment.setResult(kept, 0);
}

/** Starts to keep a day, and settles those that are then too old. */
export function reachDay(enrolment: LiveEnrolment, day: number): void {
  const { lastDay } = enrolment;
  if (day <= lastDay) return;
  const leaving = Math.min(day - lastDay, DAYS_KEPT);
  for (let old = lastDay - DAYS_KEPT + 1; old < lastDay - DAYS_KEPT + 1 + leaving; old += 1) {
    settle(enrolment, old);
  }
  const days = day - lastDay;
  enrolment.tradedDays = days < DAYS_KEPT ? (enrolment.tradedDays << days) >>> 0 : 0;
  enrolment.lastDay = day;
}

/** Adds a deal's money to the total and, if its day is kept, to the day. */
export function addDayResult(enrolment: LiveEnrolment, day: number, money: Money): void {
  if (day <= enrolment.lastPayoutDay) return;
  enrolment.total += money;
  if (isKept(enrolment, day)) enrolment.setResult(day, enrolment.resultOf(day) + money);
}

export function noteTrade(enrolment: LiveEnrolment, day: number): void {
  if (!isKept(enrolment, day)) return;
  enrolment.tradedDays = (enrolment.tradedDays | (1 << (enrolment.lastDay - day))) >>> 0;
}

export function dayFigures(enrolment: LiveEnrolment): DayFigures {
  const { lastDay, today, terms } = enrolment;
  let winning = enrolment.settledWinning;
  let best = enrolment.settledBest;
  let profitableDays = enrolment.settledProfitable;
  for (let day = lastDay - DAYS_KEPT + 1; day <= lastDay; day += 1) {
    const result = enrolment.resultOf(day);
    winning += Math.max(0, result);
    best = Math.max(best, result);
    if (day < today && isProfitable(result, terms.profitableFrom)) profitableDays += 1;
  }
  return {
    total: enrolment.total,
    winning,
    best,
    tradingDays: enrolment.settledTraded + bitsOf(enrolment.tradedDays),
    profitableDays,
    today: enrolment.resultOf(today),
  };
}

/** Counts a payout. One whose day is no longer kept, or from before another, ends no days. */
export function notePayout(enrolment: LiveEnrolment, day: number, money: Money): void {
  enrolment.payouts += 1;
  enrolment.paidOut += money;
  if (!isKept(enrolment, day)) return;
  const { lastDay } = enrolment;
  enrolment.settledWinning = 0;
  enrolment.settledBest = 0;
  enrolment.settledProfitable = 0;
  enrolment.settledTraded = 0;
  enrolment.tradedDays = (enrolment.tradedDays & ((1 << (lastDay - day)) - 1)) >>> 0;
  enrolment.total = 0;
  for (let kept = lastDay - DAYS_KEPT + 1; kept <= lastDay; kept += 1) {
    if (kept <= day) enrolment.setResult(kept, 0);
    else enrolment.total += enrolment.resultOf(kept);
  }
  enrolment.lastPayoutDay = day;
}

const isKept = ({ lastDay, lastPayoutDay }: LiveEnrolment, day: number): boolean =>
  day <= lastDay && day > lastDay - DAYS_KEPT && !(day <= lastPayoutDay);

function settle(enrolment: LiveEnrolment, day: number): void {
  const result = enrolment.resultOf(day);
  enrolment.settledWinning += Math.max(0, result);
  enrolment.settledBest = Math.max(enrolment.settledBest, result);
  if (isProfitable(result, enrolment.terms.profitableFrom)) enrolment.settledProfitable += 1;
  const bit = enrolment.lastDay - day;
  if ((enrolment.tradedDays >>> bit) % 2 === 1) enrolment.settledTraded += 1;
  enrolment.setResult(day, 0);
}

const isProfitable = (result: Money, from: Money): boolean => from > 0 && result >= from;

function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}
