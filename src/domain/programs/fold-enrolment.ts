import type { BrokerTimeMs } from '../broker-time.ts';
import { isCredit, isTradeDeal } from '../deal.ts';
import type { LiveAccount } from '../live/live-account.ts';
import type { FoldEffects, LiveDeal } from '../live/live-records.ts';
import { DRAWDOWN_EXCEEDED } from '../live/live-tracker.ts';
import { addResult, noteTrade, reachDay } from './day-results.ts';
import { endEnrolment } from './enrolment-changes.ts';
import { type LiveEnrolment, RUNNING } from './live-enrolment.ts';
import { isPassed } from './phase-objectives.ts';
import { beginPhase, calendarOf, dayOf, reachToday, setActive } from './phase-time.ts';

/*
 * Enrolments are folded beside trackers. Time comes first: an enrolment that a limit of days ends
 * is over before the next item counts. Then deals count for the days of their own times, trackers
 * measure the snapshot, and enrolments are judged: a broken limit fails before objectives pass.
 */

/** Lets time pass up to the moment of a snapshot or deal, or of the clock. */
export function passTime(account: LiveAccount, utcMs: number, effects: FoldEffects): void {
  const { enrolments } = account;
  for (const enrolment of enrolments) {
    if (!enrolment.hasBegun && !beginPhase(account, enrolment, utcMs)) continue;
    reachToday(account, enrolment, utcMs);
    if (enrolment.state !== RUNNING) continue;
    const { deadlineUtcMs, idleUntilUtcMs } = enrolment;
    const endUtcMs = Math.min(deadlineUtcMs, idleUntilUtcMs);
    if (utcMs < endUtcMs) continue;
    const kind = deadlineUtcMs <= idleUntilUtcMs ? 'timeLimit' : 'inactivity';
    const ruleIndex = enrolment.definition.phase.rules.findIndex((rule) => rule.kind === kind);
    const timeMs = account.clock.brokerTimeOf(endUtcMs);
    const moment = { timeMs, utcMs: endUtcMs };
    endEnrolment(account, enrolment, { to: 'failed', ruleIndex, ...moment }, effects);
  }
}

/** Counts a deal for its day; call passTime first. */
export function countDeal(account: LiveAccount, deal: LiveDeal, utcMs: number): void {
  for (const enrolment of account.enrolments) {
    if (enrolment.state !== RUNNING || !(utcMs >= enrolment.startUtcMs)) continue;
    const { terms } = enrolment;
    if (isInPause(enrolment, utcMs)) continue;
    const calendar = calendarOf(account, enrolment);
    const day = dayOf(calendar, utcMs);
    reachDay(enrolment, day);
    if (!isCredit(deal) && !terms.adjustDeals.includes(deal.type)) {
      addResult(enrolment, day, deal.money);
    }
    if (!isTradeDeal(deal)) continue;
    if (!terms.onlyOpened || !deal.closes) noteTrade(enrolment, day);
    if (day > enrolment.lastActiveDay) setActive(enrolment, calendar, day);
  }
}

/**
 * Judges the enrolments after a snapshot or deal was folded into the trackers. Only a snapshot that
 * is not late can pass one.
 */
export function judgeEnrolments(
  account: LiveAccount,
  moment: { timeMs: BrokerTimeMs; utcMs: number },
  canPass: boolean,
  effects: FoldEffects,
): void {
  const { enrolments } = account;
  for (const enrolment of enrolments) {
    if (enrolment.state !== RUNNING || !enrolment.hasBegun) continue;
    const broken = enrolment.limits.find(
      ({ tracker, fails }) => fails && tracker.exceeded === DRAWDOWN_EXCEEDED,
    );
    if (broken) {
      const { ruleIndex, tracker } = broken;
      const startTimeMs = tracker.periodStartMs;
      const breach = { trackerId: tracker.id, startTimeMs, round: 0 };
      endEnrolment(account, enrolment, { to: 'failed', ruleIndex, breach, ...moment }, effects);
    } else if (canPass && !isInPause(enrolment, moment.utcMs) && isPassed(account, enrolment)) {
      endEnrolment(account, enrolment, { to: 'passed', ...moment }, effects);
    }
  }
}

const isInPause = (enrolment: LiveEnrolment, utcMs: number): boolean =>
  utcMs >= enrolment.pausedFromUtcMs && utcMs < enrolment.pausedUntilUtcMs;
