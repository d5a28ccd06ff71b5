import { isTradeDeal, type TradeDeal } from '../deal.ts';
import type { FoldEffects } from '../live/fold-effects.ts';
import type { KnownDeal } from '../live/known-deals.ts';
import type { LiveAccount } from '../live/live-account.ts';
import type { DealRules } from './deal-rules.ts';
import { dealTermsOf, neededRules, weigh } from './deal-verdict.ts';
import { failByDeals } from './enrolment-changes.ts';
import type { Violation } from './judge-deals.ts';
import {
  FAILED_BY_DEALS,
  FAILED_IN_DISPUTE,
  type LiveEnrolment,
  RUNNING,
} from './live-enrolment.ts';
import { isDealRule } from './program-definition.ts';

/*
 * Rules over deals are judged when a deal comes, whether a snapshot includes it or not, and when
 * time passes what they wait for. They come before the snapshot that is folded next: a deal that
 * breaks a rule is judged before its money can meet an objective.
 */

/** Takes deals in. */
export function weighDeals(account: LiveAccount, deals: readonly KnownDeal[]): void {
  if (account.dealRules.length === 0) return;
  const trades = deals.flatMap(tradeDeals);
  for (const { rules, enrolment } of judged(account)) {
    rules.add(trades, dealTermsOf(account, enrolment));
    weigh(account, enrolment, rules);
  }
  const { dealRules, enrolments, window } = account;
  for (const rules of dealRules) {
    const isIts = ({ id }: LiveEnrolment): boolean => id === rules.enrolmentId;
    if (!window || enrolments.some(isIts)) continue;
    const ended = window.base.enrolments.find(isIts);
    rules.add(trades, ended && dealTermsOf(window.base, ended));
    rules.verdict = undefined;
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
    const fails = isHeld
      ? rules.told !== broken?.ruleIndex
      : enrolment.state === RUNNING && !isOverBy(account, enrolment, broken);
    if (broken && fails) {
      rules.told = broken.ruleIndex;
      failByDeals(account, enrolment, broken, effects);
    } else if (isHeld) enrolment.dispute = broken ? FAILED_BY_DEALS : FAILED_IN_DISPUTE;
    if (enrolment.state === RUNNING && !enrolment.isDisputed) {
      warn(account, enrolment, rules, effects);
    }
  }
}

/** A warning stays, whatever later deals show. */
function warn(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  rules: DealRules,
  { warnings }: FoldEffects,
): void {
  for (const near of rules.verdict?.near ?? []) {
    const { ruleIndex, timeMs } = near;
    const rule = enrolment.definition.phase.rules[ruleIndex];
    if (!rule || !isDealRule(rule) || !('warnAt' in rule)) continue;
    if (rules.warned.includes(ruleIndex) || isOverBy(account, enrolment, near)) continue;
    rules.warned = [...rules.warned, ruleIndex];
    warnings.push({
      ...{ accountId: account.id, enrolmentId: enrolment.id, rule: rule.kind, near, timeMs },
      ...{ startTimeMs: enrolment.startTimeMs, warnAt: rule.warnAt ?? 1 },
    });
  }
}

/** Time comes first: the next reading ends by it what was over before a rule was broken. */
const isOverBy = (
  { clock }: LiveAccount,
  { deadlineUtcMs, idleUntilUtcMs }: LiveEnrolment,
  broken: Violation | undefined,
): boolean =>
  broken !== undefined &&
  clock.utcOf(broken.timeMs, Number.NaN) >= Math.min(deadlineUtcMs, idleUntilUtcMs);

/** Rules whose enrolment is over are given up, unless folding again may bring it back. */
function judged(account: LiveAccount): { rules: DealRules; enrolment: LiveEnrolment }[] {
  const needed = neededRules(account);
  if (needed.length < account.dealRules.length) account.dealRules = needed;
  return needed.flatMap((rules) => {
    const enrolment = account.enrolments.find(({ id }) => id === rules.enrolmentId);
    return enrolment ? [{ rules, enrolment }] : [];
  });
}

const tradeDeals = (deal: KnownDeal): TradeDeal[] => {
  const { id, type, timeMs, trade } = deal;
  return trade && isTradeDeal(deal) ? [{ id, type, timeMs, trade }] : [];
};
