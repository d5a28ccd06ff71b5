import type { EnrolmentTransition } from '../programs/enrolment-transition.ts';
import { FAILED_IN_DISPUTE, PASSED_IN_DISPUTE } from '../programs/live-enrolment.ts';
import type { Reading } from './deal-placement.ts';
import { FoldEffects } from './fold-effects.ts';
import type { ToldEnd, ToldEvent } from './fold-window.ts';
import type { AccountWindow, LiveAccount } from './live-account.ts';
import { kindOf, type Revision, type TrackerEvent } from './live-records.ts';
import { eventOf } from './tracker-records.ts';

/** An event, and the moment of the reading at which it was found. */
type Found = { event: TrackerEvent; utcMs: number };

/** Results of folding again, not published yet. */
export class Findings {
  readonly effects = new FoldEffects();
  readonly events: Found[] = [];
  /** Published events, measured again at their own readings. */
  readonly measured = new Map<ToldEvent, TrackerEvent>();

  constructor({ told }: AccountWindow) {
    if (told.length === 0) return;
    this.effects.measured = (account, tracker, seen) => {
      for (const one of told) {
        const { trackerId, startTimeMs, timeMs, exceededThresholdType: type } = one.event;
        const isIt =
          trackerId === tracker.id &&
          startTimeMs === tracker.periodStartMs &&
          timeMs === seen.timeMs;
        if (!isIt) continue;
        this.measured.set(one, eventOf(account, tracker, type, seen, seen.leastAdjustment));
      }
    };
  }

  /** Call this after each reading: events found by then are its own. */
  noteReading({ utcMs }: Pick<Reading, 'utcMs'>): void {
    const { events } = this.effects;
    for (const event of events.slice(this.events.length)) this.events.push({ event, utcMs });
  }
}

/**
 * Compares findings with the events published since the base. Published events stay: differences
 * are revisions. An event not published before is an ordinary one, with its own time.
 */
export function publishFindings(
  account: LiveAccount,
  window: AccountWindow,
  { events, measured, effects: found }: Findings,
  effects: FoldEffects,
): void {
  const left = [...events];
  for (const told of window.told) {
    if (told.isRevoked) continue;
    const place = left.findIndex(({ event }) => isOfSame(event, told.event));
    const now = left[place];
    if (now) {
      left.splice(place, 1);
      if (isAlike(now.event, told.event)) continue;
      effects.revisions.push(revisionOf(window, told, now.event, true));
      told.event = { ...now.event, round: told.event.round };
      told.utcMs = now.utcMs;
    } else {
      const event = measured.get(told) ?? withoutExcess(told.event);
      effects.revisions.push(revisionOf(window, told, event, false));
      told.isRevoked = true;
    }
    told.revisions += 1;
  }
  for (const { event, utcMs } of left) publish(window, event, utcMs, effects);
  for (const tracker of account.trackers) {
    const period = { trackerId: tracker.id, startTimeMs: tracker.periodStartMs };
    tracker.round = roundsOf(window, period);
    tracker.revisionCount = revisionsOf(window, period);
  }
  publishEnds(account, window, found.transitions, effects);
}

/** Publishes an event, and remembers it as long as late facts may change it. */
export function publish(
  window: AccountWindow,
  found: TrackerEvent,
  utcMs: number,
  effects: FoldEffects,
): void {
  const event = { ...found, round: roundsOf(window, found) };
  effects.events.push(event);
  window.told.push({ event, utcMs, isRevoked: false, revisions: 0 });
}

/**
 * If folding again ends an enrolment differently, the new end is published after the first. An
 * enrolment that has ended but, folded again, has not, goes on alongside, in dispute.
 */
function publishEnds(
  account: LiveAccount,
  window: AccountWindow,
  transitions: readonly EnrolmentTransition[],
  effects: FoldEffects,
): void {
  const ends = transitions.filter(isByRules);
  for (const end of ends) {
    const told = window.ended.find(({ enrolmentId }) => enrolmentId === end.enrolmentId);
    if (told && !told.isDisputed && isSameEnd(told, end)) continue;
    const count = told ? told.count + 1 : end.count;
    const breach = end.breach && { ...end.breach, round: roundsOf(window, end.breach) };
    publishEnd(window, { ...end, count, breach }, effects);
  }
  for (const told of window.ended) {
    const enrolment = account.enrolments.find(({ id }) => id === told.enrolmentId);
    if (!enrolment || enrolment.isHeld) continue;
    enrolment.dispute = told.to === 'failed' ? FAILED_IN_DISPUTE : PASSED_IN_DISPUTE;
    enrolment.transitionCount = told.count;
    told.isDisputed = true;
  }
}

export function publishEnd(
  window: AccountWindow,
  end: EnrolmentTransition,
  effects: FoldEffects,
): void {
  effects.transitions.push(end);
  const { enrolmentId, count, to, ruleIndex } = end;
  window.ended = window.ended.filter((told) => told.enrolmentId !== enrolmentId);
  window.ended.push({ enrolmentId, count, to, ruleIndex, isDisputed: false });
}

const isSameEnd = (a: ToldEnd, b: EnrolmentTransition): boolean =>
  a.to === b.to && a.ruleIndex === b.ruleIndex;

export const isByRules = ({ to }: EnrolmentTransition): boolean =>
  to === 'passed' || to === 'failed';

type Period = Pick<TrackerEvent, 'trackerId' | 'startTimeMs'>;

const isOfPeriod = (a: Period, b: Period): boolean =>
  a.trackerId === b.trackerId && a.startTimeMs === b.startTimeMs;

const isOfSame = (a: TrackerEvent, b: TrackerEvent): boolean =>
  isOfPeriod(a, b) && kindOf(a) === kindOf(b);

const isAlike = (a: TrackerEvent, b: TrackerEvent): boolean =>
  a.timeMs === b.timeMs &&
  a.absoluteDrawdown === b.absoluteDrawdown &&
  a.relativeDrawdown === b.relativeDrawdown &&
  a.absoluteProfit === b.absoluteProfit &&
  a.relativeProfit === b.relativeProfit &&
  a.allowed === b.allowed;

/** How many events of a period were revised to none. */
function roundsOf(window: AccountWindow, period: Period): number {
  const told = window.told.filter((one) => one.isRevoked && isOfPeriod(one.event, period));
  return baseNumber(window, period, 'round') + told.length;
}

function revisionsOf(window: AccountWindow, period: Period): number {
  const told = window.told.filter(({ event }) => isOfPeriod(event, period));
  const since = told.reduce((sum, { revisions }) => sum + revisions, 0);
  return baseNumber(window, period, 'revisionCount') + since;
}

function baseNumber(
  { base }: AccountWindow,
  { trackerId, startTimeMs }: Period,
  name: 'round' | 'revisionCount',
): number {
  const tracker = base.trackers.find(({ id }) => id === trackerId);
  return tracker?.periodStartMs === startTimeMs ? tracker[name] : 0;
}

function revisionOf(
  window: AccountWindow,
  { event: { warnAt, ...told } }: ToldEvent,
  now: TrackerEvent,
  stillExceeded: boolean,
): Revision {
  const { exceededThresholdType: _, warnAt: __, ...figures } = now;
  const kind = warnAt === undefined ? told.exceededThresholdType : 'warning';
  return {
    ...figures,
    revises: { kind, round: told.round },
    round: revisionsOf(window, told),
    stillExceeded,
  };
}

/** An event at whose moment its tracker no longer measures. */
const withoutExcess = (event: TrackerEvent): TrackerEvent => ({
  ...event,
  ...{ absoluteDrawdown: 0, relativeDrawdown: 0, absoluteProfit: 0, relativeProfit: 0 },
});
