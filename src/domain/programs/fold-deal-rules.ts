import { isTradeDeal, type TradeDeal } from '../deal.ts';
import type { FoldEffects } from '../live/fold-effects.ts';
import type { KnownDeal } from '../live/known-deals.ts';
import type { LiveAccount } from '../live/live-account.ts';
import type { DealRules } from './deal-rules.ts';
import { dealTermsOf, weigh } from './deal-verdict.ts';
import { failByDeals } from './enrolment-changes.ts';
import {
  FAILED_BY_DEALS,
  FAILED_IN_DISPUTE,
  type LiveEnrolment,
  RUNNING,
} from './live-enrolment.ts';

/*
 * Rules over deals are judged when a deal comes, whether a snapshot includes it or not, and when
 * time passes what they wait for. They come before the snapshot that is folded next: a deal that
 * breaks a rule is judged before its money can meet an objective.
 */

/** Takes deals in. */
export function weighDeals(account: LiveAccount, deals: readonly KnownDeal[]): void {
  for (const { rules, enrolment } of judged(account)) {
    rules.add(deals.flatMap(tradeDeals), dealTermsOf(account, enrolment));
    weigh(account, enrolment, rules);
  }
}

/** Judges those rules that wait for a moment which has come. */
export function judgeDealRules(account: LiveAccount, timeMs: number, effects: FoldEffects): void {
  if (account.dealRules.length === 0) return;
  for (const { rules, enrolment } of judged(account)) {
    if (!(timeMs < rules.dueTimeMs)) weigh(account, enrolment, rules, timeMs);
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

/** Rules whose enrolment is over are given up. */
function judged(account: LiveAccount): { rules: DealRules; enrolment: LiveEnrolment }[] {
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
