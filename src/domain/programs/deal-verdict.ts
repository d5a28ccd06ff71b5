import { inOrderOfExecution } from '../deal-order.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { timeOfDay } from './closed-hours.ts';
import type { DealRules, DealTerms, DealVerdict } from './deal-rules.ts';
import type { LiveEnrolment } from './live-enrolment.ts';
import { calendarOf } from './phase-time.ts';

/** The rules of enrolments that have not ended, or that late facts may yet bring back. */
export const neededRules = ({ dealRules, enrolments, window }: LiveAccount): DealRules[] =>
  dealRules.filter(
    ({ enrolmentId }) =>
      enrolments.some(({ id }) => id === enrolmentId) ||
      window?.ended.some((end) => end.enrolmentId === enrolmentId),
  );

/** The verdict of the deals known so far; undefined without such rules, or before the begin. */
export function dealVerdict(
  account: LiveAccount,
  enrolment: LiveEnrolment,
): DealVerdict | undefined {
  const rules = account.dealRules.find(({ enrolmentId }) => enrolmentId === enrolment.id);
  return rules?.verdict ?? (rules && weigh(account, enrolment, rules));
}

/** Judges by the facts up to a moment, or as of the newest; undefined before the begin. */
export function weigh(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  rules: DealRules,
  timeMs = Number.NEGATIVE_INFINITY,
): DealVerdict | undefined {
  const terms = dealTermsOf(account, enrolment);
  const { lastTimeMs } = account;
  return (
    terms && rules.weigh(terms, Number.isNaN(lastTimeMs) ? timeMs : Math.max(timeMs, lastTimeMs))
  );
}

/** Whether deals up to a moment break a rule, as far as is known. */
export function isBrokenByDeals(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  timeMs: number,
): boolean {
  const brokenMs = dealVerdict(account, enrolment)?.expected?.timeMs;
  return brokenMs !== undefined && brokenMs <= timeMs;
}

/** Undefined before the phase has begun. */
export function dealTermsOf(account: LiveAccount, enrolment: LiveEnrolment): DealTerms | undefined {
  if (!enrolment.hasBegun) return undefined;
  const { startTimeMs } = enrolment;
  const { clock } = account;
  const calendar = calendarOf(account, enrolment);
  // The calendar's midnight is the reset: here it is the wall clock that counts.
  const setBackMs = timeOfDay(enrolment.definition.phase.resetClock?.time ?? '') ?? 0;
  const utcOf = (timeMs: number): number => clock.utcOf(timeMs, Number.NaN);
  return {
    startTimeMs,
    utcOf,
    inOrder: (deals, isOpen) => inOrderOfExecution(deals, clock, ({ trade }) => trade, isOpen),
    clock: {
      localOf: (timeMs) => calendar.brokerTimeOf(utcOf(timeMs)) + setBackMs,
      timeOf: (localMs) => clock.brokerTimeOf(calendar.utcOf(localMs - setBackMs, Number.NaN)),
    },
  };
}
