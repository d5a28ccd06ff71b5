import { isTradeDeal, type TradeDeal } from '../deal.ts';
import type { FoldEffects } from '../live/fold-effects.ts';
import type { KnownDeal } from '../live/known-deals.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { timeOfDay } from './closed-hours.ts';
import type { DealRules, DealTerms, DealVerdict } from './deal-rules.ts';
import { failByDeals } from './enrolment-changes.ts';
import {
  FAILED_BY_DEALS,
  FAILED_IN_DISPUTE,
  type LiveEnrolment,
  RUNNING,
} from './live-enrolment.ts';
import { calendarOf } from './phase-time.ts';

/*
 * Rules over deals are judged when a deal comes, whether a snapshot includes it or not, and when
 * time passes what they wait for. They come before the snapshot that is folded next: a deal that
 * breaks a rule is judged before its money can meet an objective.
 */

/** Takes deals in. */
export function weighDeals(account: LiveAccount, deals: readonly KnownDeal[]): void {
  for (const { rules, enrolment } of judged(account)) {
    const terms = termsOf(account, enrolment);
    rules.add(deals.flatMap(tradeDeals), terms);
    if (terms) rules.weigh(terms, account.lastTimeMs);
  }
}

/** Judges those rules that wait for a moment which has come. */
export function judgeDealRules(account: LiveAccount, timeMs: number, effects: FoldEffects): void {
  for (const { rules, enrolment } of judged(account)) {
    if (timeMs < rules.dueTimeMs) continue;
    const terms = termsOf(account, enrolment);
    if (terms) rules.weigh(terms, Math.max(timeMs, lastTimeOf(account)));
  }
  applyVerdicts(account, effects);
}

/** Ends enrolments whose rules are broken, and disputes ends that later deals removed. */
export function applyVerdicts(account: LiveAccount, effects: FoldEffects): void {
  for (const { rules, enrolment } of judged(account)) {
    if (!rules.verdict) continue;
    const { broken } = rules.verdict;
    const isHeld = rules.told !== undefined && enrolment.state !== RUNNING;
    if (broken && (isHeld ? rules.told !== broken.ruleIndex : enrolment.state === RUNNING)) {
      rules.told = broken.ruleIndex;
      failByDeals(account, enrolment, broken, effects);
    } else if (isHeld) enrolment.dispute = broken ? FAILED_BY_DEALS : FAILED_IN_DISPUTE;
  }
}

/** The verdict of the deals known so far; undefined before the phase has begun, or without rules. */
export function dealVerdict(
  account: LiveAccount,
  enrolment: LiveEnrolment,
): { rules: DealRules; verdict: DealVerdict } | undefined {
  const rules = account.dealRules.find(({ enrolmentId }) => enrolmentId === enrolment.id);
  const terms = rules && termsOf(account, enrolment);
  if (!terms) return undefined;
  return { rules, verdict: rules.verdict ?? rules.weigh(terms, lastTimeOf(account)) };
}

/** Whether deals up to a moment break a rule, as far as is known. */
export function isBrokenByDeals(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  timeMs: number,
): boolean {
  const brokenMs = dealVerdict(account, enrolment)?.verdict.expected?.timeMs;
  return brokenMs !== undefined && brokenMs <= timeMs;
}

const lastTimeOf = ({ lastTimeMs }: LiveAccount): number =>
  Number.isNaN(lastTimeMs) ? Number.NEGATIVE_INFINITY : lastTimeMs;

/** Rules whose enrolment is over are given up. */
function judged(account: LiveAccount): { rules: DealRules; enrolment: LiveEnrolment }[] {
  if (account.dealRules.length === 0) return [];
  const found = account.dealRules.flatMap((rules) => {
    const enrolment = account.enrolments.find(({ id }) => id === rules.enrolmentId);
    return enrolment ? [{ rules, enrolment }] : [];
  });
  if (found.length < account.dealRules.length) account.dealRules = found.map(({ rules }) => rules);
  return found;
}

const tradeDeals = (deal: KnownDeal): TradeDeal[] => {
  const { id, type, timeMs, trade } = deal;
  return trade && isTradeDeal(deal) ? [{ id, type, timeMs, trade }] : [];
};

function termsOf(account: LiveAccount, enrolment: LiveEnrolment): DealTerms | undefined {
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
    clock: {
      localOf: (timeMs) => calendar.brokerTimeOf(utcOf(timeMs)) + setBackMs,
      timeOf: (localMs) => clock.brokerTimeOf(calendar.utcOf(localMs - setBackMs, Number.NaN)),
    },
  };
}
