import type { TargetMeasure } from '../../words/programs.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { isRunning } from '../live/tracker-records.ts';
import type { Money } from '../money.ts';
import { type DayFigures, dayFigures } from './day-results.ts';
import type { LiveEnrolment } from './live-enrolment.ts';
import { bestDayLimit, type PhaseTerms } from './phase-terms.ts';
import type { Consistency } from './program-definition.ts';

/**
 * The profit of the phase at the newest snapshot, without money paid in or out, and without what
 * payouts took of it.
 */
export type Profits = { balance: Money; equity: Money };

/** Undefined until the account holds money in the phase. */
export function profitsOf(account: LiveAccount, enrolment: LiveEnrolment): Profits | undefined {
  const { progress, terms } = enrolment;
  const isKnown =
    isRunning(progress) &&
    account.lastUtcMs >= enrolment.startUtcMs &&
    progress.initialBalance > 0 &&
    !Number.isNaN(account.fundedTimeMs);
  if (!isKnown) return undefined;
  const cash = progress.adjustment - progress.creditAdjustment;
  return {
    balance: account.balance - cash - terms.initialBalance,
    equity: account.equity - progress.adjustment - terms.initialBalance,
  };
}

export function profitBy({ balance, equity }: Profits, by: TargetMeasure): Money {
  switch (by) {
    case 'balance':
      return balance;
    case 'equity':
      return equity;
    case 'lowerOfBoth':
      return Math.min(balance, equity);
  }
}

/** Whether all objectives are met at once, so that the phase is passed. */
export function isPassed(account: LiveAccount, enrolment: LiveEnrolment): boolean {
  if (!enrolment.terms.canPass) return false;
  const profits = profitsOf(account, enrolment);
  return profits !== undefined && meetsObjectives(enrolment, profits);
}

export function meetsObjectives(enrolment: LiveEnrolment, profits: Profits): boolean {
  const { terms } = enrolment;
  // Targets first: they are rarely met, and cost next to nothing to check.
  for (const { least, by } of terms.targets) if (profitBy(profits, by) < least) return false;
  const days = dayFigures(enrolment);
  return (
    days.tradingDays >= terms.tradingDays &&
    days.profitableDays >= terms.profitableDays &&
    terms.consistency.every((rule) => days.best <= bestDayLimit(rule, wholeOf(rule, days, terms)))
  );
}

/** The amount that the best day is a share of. */
export function wholeOf(
  { of = 'profit' }: Consistency,
  days: DayFigures,
  terms: PhaseTerms,
): Money {
  switch (of) {
    case 'profit':
      return days.total;
    case 'winningDays':
      return days.winning;
    case 'profitTarget':
      return Math.max(0, ...terms.targets.map(({ least }) => least));
  }
}
