import type { BrokerTimeMs } from '../broker-time.ts';
import { restartPeriod } from '../live/enter-period.ts';
import type { FoldEffects } from '../live/fold-effects.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { forgetEnrolment, logChange, logJoined } from '../live/log-changes.ts';
import { known } from '../live/number-rows.ts';
import { publishEnd } from '../live/publish-findings.ts';
import { beginTracker } from '../live/tracker-changes.ts';
import { isRunning, periodStatistics } from '../live/tracker-records.ts';
import type { TrackerRules } from '../live/tracker-rule.ts';
import { DealRules } from './deal-rules.ts';
import { enrolmentFigures } from './enrolment-records.ts';
import type { EnrolmentTransition } from './enrolment-transition.ts';
import type { Violation } from './judge-deals.ts';
import {
  FAILED_BY_DEALS,
  type LimitTracker,
  LiveEnrolment,
  NO_DISPUTE,
  PAUSED,
  RUNNING,
} from './live-enrolment.ts';
import { holdTrackers } from './phase-funding.ts';
import { calendarOf, dayOf, resumeTime } from './phase-time.ts';
import { trackersOf } from './phase-trackers.ts';
import { breachesUntilFailed, type EnrolmentDefinition, isLossRule } from './program-definition.ts';

type Moment = { timeMs: BrokerTimeMs; utcMs: number };
/** A change on request. */
type Asked = Moment & { by?: string | undefined };

/**
 * Enrols the account: the phase begins with the next snapshot, or a deal that it includes, once the
 * account has the money of its rules.
 */
export function addEnrolment(
  account: LiveAccount,
  definition: EnrolmentDefinition,
  rules: TrackerRules,
): LiveEnrolment {
  const owned = trackersOf(definition);
  for (const { definition: tracker } of owned) beginTracker(account, tracker, rules);
  const enrolment = linkEnrolment(account, definition);
  if (definition.startTimeMs === undefined) holdTrackers(enrolment);
  enrolment.state = RUNNING;
  enrolment.transitionCount = 0;
  enrolment.dispute = NO_DISPUTE;
  logJoined(account, enrolment.trackers, [enrolment]);
  return enrolment;
}

/** Attaches an enrolment, its numbers not yet set, to an account that has its trackers. */
export function linkEnrolment(
  account: LiveAccount,
  definition: EnrolmentDefinition,
): LiveEnrolment {
  const found = (id: string) => {
    const tracker = account.trackers.find((candidate) => candidate.id === id);
    if (!tracker) throw new Error(`The account lacks the tracker ${id} of its enrolment`);
    return tracker;
  };
  const [progress, ...limits] = trackersOf(definition);
  const linked = limits.flatMap(({ definition: { id }, ruleIndex = 0 }): LimitTracker[] => {
    const rule = definition.phase.rules[ruleIndex];
    const failsAt = rule && isLossRule(rule) ? breachesUntilFailed(rule) : Number.POSITIVE_INFINITY;
    return [{ tracker: found(id), ruleIndex, failsAt }];
  });
  const row = account.rows.enrolments.take();
  const enrolment = new LiveEnrolment(
    row,
    definition,
    found(progress?.definition.id ?? ''),
    linked,
  );
  account.enrolments = account.enrolments.concat(enrolment);
  const dealRules = new DealRules(definition);
  if (dealRules.rules.length > 0) account.dealRules = account.dealRules.concat(dealRules);
  return enrolment;
}

/** Stops judging: neither limits nor objectives count, and limits of days stand still. */
export function pauseEnrolment(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  moment: Asked,
  effects: FoldEffects,
): void {
  if (enrolment.state !== RUNNING) return;
  suspend(account, enrolment, moment.utcMs);
  notePause(account, enrolment);
  effects.transitions.push(transitionOf(account, enrolment, { to: 'paused', ...moment }));
  logChange(account, { kind: 'paused', enrolmentId: enrolment.id, ...moment });
}

function notePause({ dealRules }: LiveAccount, enrolment: LiveEnrolment): void {
  const { id, pausedFromUtcMs, pausedUntilUtcMs } = enrolment;
  const own = dealRules.find(({ enrolmentId }) => enrolmentId === id);
  own?.notePause(pausedFromUtcMs, pausedUntilUtcMs);
}

function suspend(account: LiveAccount, enrolment: LiveEnrolment, utcMs: number): void {
  enrolment.state = PAUSED;
  enrolment.pausedFromUtcMs = utcMs;
  enrolment.pausedUntilUtcMs = Number.POSITIVE_INFINITY;
  for (const tracker of enrolment.trackers) {
    tracker.suspendedUntilUtcMs = Number.POSITIVE_INFINITY;
  }
  account.forgetQuietBand();
}

/**
 * Fails by a rule over deals, or by another than before. It is kept as if it were paused, because
 * later deals may remove the ground.
 */
export function failByDeals(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  violation: Violation,
  effects: FoldEffects,
): void {
  const { ruleIndex, timeMs } = violation;
  const utcMs = account.clock.utcOf(timeMs, Number.NaN);
  const heldUtcMs = Math.max(known(account.lastUtcMs) ?? utcMs, utcMs) + 1;
  const { id: enrolmentId } = enrolment;
  logChange(account, { kind: 'failed', enrolmentId, utcMs: heldUtcMs });
  const end = transitionOf(account, enrolment, {
    ...{ to: 'failed', ruleIndex, timeMs, utcMs, violation },
  });
  holdFailed(account, enrolment, heldUtcMs);
  if (account.window) publishEnd(account.window, end, effects);
  else effects.transitions.push(end);
}

export function holdFailed(account: LiveAccount, enrolment: LiveEnrolment, utcMs: number): void {
  if (enrolment.state === RUNNING) suspend(account, enrolment, utcMs);
  enrolment.dispute = FAILED_BY_DEALS;
}

/** Judges again: the running day starts again, with the balance of the moment. */
export function resumeEnrolment(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  moment: Asked,
  effects: FoldEffects,
): void {
  if (enrolment.state !== PAUSED) return;
  enrolment.dispute = NO_DISPUTE;
  resumeTime(account, enrolment, moment.utcMs);
  notePause(account, enrolment);
  for (const tracker of enrolment.trackers) {
    tracker.suspendedUntilUtcMs = moment.utcMs;
    if (tracker.rule.period === 'lifetime') continue;
    restartPeriod(account, tracker, { ...moment, included: 0 }, effects);
  }
  account.forgetQuietBand();
  effects.transitions.push(transitionOf(account, enrolment, { to: 'running', ...moment }));
  logChange(account, { kind: 'running', enrolmentId: enrolment.id, ...moment });
}

/** Continues an enrolment that was ended by facts that are no longer true. */
export function reinstateEnrolment(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  moment: Asked,
  effects: FoldEffects,
): void {
  if (!enrolment.isDisputed) return;
  if (enrolment.isHeld) {
    for (const rules of account.dealRules) {
      if (rules.enrolmentId === enrolment.id) rules.told = undefined;
    }
    resumeEnrolment(account, enrolment, moment, effects);
    forgetEnd(account, enrolment);
    return;
  }
  enrolment.dispute = NO_DISPUTE;
  effects.transitions.push(transitionOf(account, enrolment, { to: 'running', ...moment }));
  const { window } = account;
  if (!window) return;
  const counted = enrolment.transitionCount;
  for (const one of window.base.enrolments.filter(({ id }) => id === enrolment.id)) {
    one.dispute = NO_DISPUTE;
    one.transitionCount = counted;
  }
  forgetEnd(account, enrolment);
}

function forgetEnd({ window }: LiveAccount, { id }: LiveEnrolment): void {
  if (window) window.ended = window.ended.filter(({ enrolmentId }) => enrolmentId !== id);
}

export type EnrolmentEnd = Asked & {
  to: 'passed' | 'failed' | 'withdrawn';
  ruleIndex?: number;
  breach?: EnrolmentTransition['breach'];
};

/** Ends an enrolment finally: its trackers complete their periods and are removed. */
export function endEnrolment(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  end: EnrolmentEnd,
  effects: FoldEffects,
): void {
  effects.transitions.push(transitionOf(account, enrolment, end));
  if (end.to === 'withdrawn') forgetEnrolment(account, enrolment);
  dropEnrolment(account, enrolment, effects);
}

/** Removes an enrolment that is over, with its trackers. */
export function dropEnrolment(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  effects: FoldEffects,
): void {
  for (const tracker of enrolment.trackers) {
    if (isRunning(tracker)) {
      effects.completedPeriods.push(periodStatistics(account, tracker, 'completed'));
    }
    account.detach(tracker.id);
    account.rows.trackers.giveBack(tracker);
  }
  account.enrolments = account.enrolments.filter((other) => other !== enrolment);
  account.rows.enrolments.giveBack(enrolment);
}

function transitionOf(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  change: Pick<
    EnrolmentTransition,
    'to' | 'timeMs' | 'utcMs' | 'ruleIndex' | 'breach' | 'violation' | 'by'
  >,
): EnrolmentTransition {
  enrolment.transitionCount += 1;
  const rule = enrolment.definition.phase.rules[change.ruleIndex ?? -1]?.kind;
  return {
    accountId: account.id,
    enrolmentId: enrolment.id,
    count: enrolment.transitionCount,
    ...change,
    rule,
    beganTimeMs: known(enrolment.startTimeMs),
    countedFromDay: countedFromDay(account, enrolment, rule),
    figures: enrolmentFigures(account, enrolment),
  };
}

function countedFromDay(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  rule: EnrolmentTransition['rule'],
): number | undefined {
  if (rule === 'inactivity') return enrolment.lastActiveDay;
  if (rule !== 'timeLimit') return undefined;
  return dayOf(calendarOf(account, enrolment), enrolment.startUtcMs);
}
