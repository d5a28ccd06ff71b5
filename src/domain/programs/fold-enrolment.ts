import type { BrokerTimeMs } from '../broker-time.ts';
import { isCredit, isTradeDeal, isWithdrawal } from '../deal.ts';
import type { Reading } from '../live/deal-placement.ts';
import type { FoldEffects } from '../live/fold-effects.ts';
import { isBefore, type KnownDeal } from '../live/known-deals.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { kindOf } from '../live/live-records.ts';
import { DRAWDOWN_EXCEEDED } from '../live/live-tracker.ts';
import { addDayResult, notePayout, noteTrade, reachDay } from './day-results.ts';
import { isBrokenByDeals } from './deal-verdict.ts';
import { dropEnrolment, endEnrolment } from './enrolment-changes.ts';
import {
  DISPUTABLE_MS,
  FAILED_IN_DISPUTE,
  type LimitTracker,
  type LiveEnrolment,
  RUNNING,
} from './live-enrolment.ts';
import { hasWaitedForMoney, releaseTrackers, waitsForMoney } from './phase-funding.ts';
import { isPassed } from './phase-objectives.ts';
import {
  beginPhase,
  calendarOf,
  dayOf,
  reachToday,
  setActive,
  startOfDayUtc,
} from './phase-time.ts';

/*
 * Enrolments are folded together with trackers. Time comes first: an enrolment that a limit of days
 * ends is over before the next item counts. Then deals count for the days of their own times,
 * trackers measure the snapshot, and enrolments are judged: a broken limit fails before objectives
 * pass.
 */

/**
 * Begins the phases whose start a reading has reached: with the first deal that it includes or, if
 * no reading came before, the first of its day. Then all deals of that day count, whenever they
 * become known.
 */
export function beginEnrolments(
  account: LiveAccount,
  reading: Reading,
  deals: readonly KnownDeal[],
): void {
  const isFirst = Number.isNaN(account.lastUtcMs);
  for (const enrolment of account.enrolments) {
    if (enrolment.hasBegun || waitsForMoney(enrolment, reading)) continue;
    const calendar = calendarOf(account, enrolment);
    const leastUtcMs = isFirst
      ? startOfDayUtc(calendar, dayOf(calendar, reading.utcMs))
      : Number.NEGATIVE_INFINITY;
    const first = deals.find(({ utcMs }) => utcMs >= leastUtcMs);
    const fromUtcMs = hasWaitedForMoney(account, enrolment)
      ? reading.utcMs
      : Math.min(first?.utcMs ?? reading.utcMs, reading.utcMs);
    const begins =
      beginPhase(account, enrolment, fromUtcMs) || beginPhase(account, enrolment, reading.utcMs);
    if (!begins) continue;
    if (isFirst && enrolment.definition.startTimeMs === undefined) {
      enrolment.startUtcMs = leastUtcMs;
    }
    releaseTrackers(account, enrolment);
  }
}

/** Lets time pass up to the moment of a reading, or of a deal that it includes. */
export function passTime(account: LiveAccount, utcMs: number, effects: FoldEffects): void {
  for (const enrolment of account.enrolments) {
    if (!enrolment.hasBegun) continue;
    reachToday(account, enrolment, utcMs);
    if (enrolment.isHeld && utcMs > enrolment.pausedFromUtcMs + DISPUTABLE_MS) {
      dropEnrolment(account, enrolment, effects);
    }
    if (enrolment.state !== RUNNING) continue;
    const { deadlineUtcMs, idleUntilUtcMs } = enrolment;
    const endUtcMs = Math.min(deadlineUtcMs, idleUntilUtcMs);
    if (utcMs < endUtcMs) continue;
    // If both are due at the same moment, the limit of the phase is named.
    const kind = deadlineUtcMs <= idleUntilUtcMs ? 'timeLimit' : 'inactivity';
    const ruleIndex = enrolment.definition.phase.rules.findIndex((rule) => rule.kind === kind);
    const timeMs = account.clock.brokerTimeOf(endUtcMs);
    const moment = { timeMs, utcMs: endUtcMs };
    endEnrolment(account, enrolment, { to: 'failed', ruleIndex, ...moment }, effects);
  }
}

/** The moment from which time alone may change an enrolment; -Infinity if one has not begun. */
export function nextEndOf({ enrolments }: LiveAccount): number {
  let next = Number.POSITIVE_INFINITY;
  for (const enrolment of enrolments) {
    if (!enrolment.hasBegun) return Number.NEGATIVE_INFINITY;
    const { dayEndUtcMs, deadlineUtcMs, idleUntilUtcMs } = enrolment;
    next = Math.min(next, dayEndUtcMs, deadlineUtcMs, idleUntilUtcMs);
  }
  return next;
}

/** Counts a deal for the day of its own time; call passTime first. */
export function countDeal(account: LiveAccount, enrolment: LiveEnrolment, deal: KnownDeal): void {
  const { terms } = enrolment;
  if (isEarlier(enrolment, deal)) return;
  const calendar = calendarOf(account, enrolment);
  const day = dayOf(calendar, deal.utcMs);
  const isPayout = terms.payout !== undefined && isWithdrawal(deal);
  if (!isPayout && isInPause(enrolment, deal.utcMs)) return;
  reachDay(enrolment, day);
  if (isPayout) notePayout(enrolment, day, -deal.money);
  if (!isCredit(deal) && !terms.adjustDeals.includes(deal.type)) {
    addDayResult(enrolment, day, deal.money);
  }
  if (!isTradeDeal(deal)) return;
  if (!terms.onlyOpened || !deal.closes) noteTrade(enrolment, day);
  if (day > enrolment.lastActiveDay) setActive(enrolment, calendar, day);
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
    const [broken] = enrolment.limits.flatMap((limit) => breachOf(limit, effects) ?? []);
    if (broken) {
      endEnrolment(account, enrolment, { to: 'failed', ...broken, ...moment }, effects);
    } else if (
      canPass &&
      mayPass(enrolment, moment.utcMs) &&
      isPassed(account, enrolment) &&
      !isBrokenByDeals(account, enrolment, moment.timeMs)
    ) {
      endEnrolment(account, enrolment, { to: 'passed', ...moment }, effects);
    }
  }
}

/** The breach of a limit that ends its phase, if there is one. */
function breachOf({ tracker, ruleIndex, failsAt }: LimitTracker, { events }: FoldEffects) {
  if (tracker.breaches < failsAt) return undefined;
  const { id: trackerId, periodStartMs: startTimeMs, round, rule } = tracker;
  if (tracker.exceeded === DRAWDOWN_EXCEEDED) {
    return { ruleIndex, breach: { trackerId, startTimeMs, round } };
  }
  if (!rule.judgedAtEnd) return undefined;
  // By the time of its verdict the broken period is over.
  const event = events.findLast((one) => one.trackerId === trackerId && kindOf(one) === 'drawdown');
  if (!event) return undefined;
  return { ruleIndex, breach: { trackerId, startTimeMs: event.startTimeMs, round: event.round } };
}

/** A failed enrolment in dispute passes only once a person has reinstated it. */
const mayPass = (enrolment: LiveEnrolment, utcMs: number): boolean =>
  enrolment.dispute !== FAILED_IN_DISPUTE && !isInPause(enrolment, utcMs);

/** Applies before it has begun, too. */
const isEarlier = ({ hasBegun, startUtcMs }: LiveEnrolment, deal: KnownDeal): boolean =>
  !hasBegun || isBefore(deal, startUtcMs);

const isInPause = (enrolment: LiveEnrolment, utcMs: number): boolean =>
  utcMs >= enrolment.pausedFromUtcMs && utcMs < enrolment.pausedUntilUtcMs;
