import { FoldEffects } from '../../src/domain/live/fold-effects.ts';
import {
  isBreach,
  type LiveEvent,
  type PeriodStatistics,
} from '../../src/domain/live/live-records.ts';
import { runningPeriod } from '../../src/domain/live/tracker-records.ts';
import { withWaitingDeals } from '../../src/domain/live/with-waiting-deals.ts';
import type { EnrolmentDefinition } from '../../src/domain/programs/program-definition.ts';
import { byTrackerAndStart, standing, toldOf } from '../simulation/fold-feed.ts';
import { trackersOf } from '../simulation/oracle.ts';
import { DealCourse } from '../simulation/oracle-deal-course.ts';
import { type Arrival, itemsOf } from '../simulation/oracle-items.ts';
import type { ReferenceAccount } from './reference-fold.ts';
import type { AccountLife } from './truth.ts';

/**
 * Faults in the periods and events of an account of a feeder, by the facts in the journal in any
 * order; undefined if none.
 */
export function wrongVerdict(
  { id, clock }: AccountLife,
  account: ReferenceAccount,
  trackerIds: ReadonlySet<string>,
  arrivals: readonly Arrival[],
): string | undefined {
  const trackers = [...account.trackers.values()].filter((tracker) => trackerIds.has(tracker.id));
  const isJudged = (of: { trackerId: string }): boolean => trackerIds.has(of.trackerId);
  const expected = trackersOf({ id, clock, trackers }, itemsOf(arrivals, clock));
  const effects = new FoldEffects();
  const shown = withWaitingDeals(account.live, effects);
  const running = shown.trackers.flatMap((tracker) => runningPeriod(shown, tracker) ?? []);
  const periods = new Map(
    [...account.periods.values(), ...effects.completedPeriods, ...running].map((period) => [
      `${period.trackerId} ${period.startTimeMs}`,
      period,
    ]),
  );
  const told: LiveEvent[] = account.events.map(({ event }) => event);
  return (
    difference(
      'period',
      [...periods.values()].filter(isJudged).sort(byTrackerAndStart).map(measured),
      expected.statistics.sort(byTrackerAndStart).map(measured),
    ) ?? difference('event', textsOf(standing(told).filter(isJudged)), textsOf(expected.events))
  );
}

/**
 * Faults in the ends of an enrolment, in a phase with rules over deals and nothing else, by all
 * deals that were known at each moment; undefined if none.
 */
export function wrongEnds(
  { clock }: AccountLife,
  { events, live }: ReferenceAccount,
  definition: EnrolmentDefinition,
  arrivals: readonly Arrival[],
): string | undefined {
  const course = new DealCourse(definition, clock, definition.startTimeMs ?? 0, arrivals);
  const told = events.flatMap(({ event }) =>
    'enrolmentId' in event && event.enrolmentId === definition.id ? [event] : [],
  );
  const isDisputed = live.enrolments.some(
    ({ id, isDisputed }) => id === definition.id && isDisputed,
  );
  const ends = [...told.map(({ ruleIndex, timeMs }) => ({ ruleIndex, timeMs })), { isDisputed }];
  const expected = course.told.map(({ ruleIndex, timeMs }) => ({ ruleIndex, timeMs }));
  return difference('end', ends, [...expected, { isDisputed: course.isDisputed }]);
}

/** Trading days follow from the stored deals, including late ones. */
const measured = ({ tradeDayCount: _, ...period }: PeriodStatistics) => period;

const textsOf = (events: Parameters<typeof toldOf>[0][]): string[] =>
  events.map((event) => `${isBreach(event)} ${textOf(toldOf(event))}`).sort();

function difference(what: string, found: readonly unknown[], expected: readonly unknown[]) {
  for (let index = 0; index < Math.max(found.length, expected.length); index += 1) {
    const [is, should] = [textOf(found[index]), textOf(expected[index])];
    if (is !== should) return `its ${what} is ${is}, and by the facts ${should}`;
  }
  return undefined;
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).sort())
    : JSON.stringify(value);
