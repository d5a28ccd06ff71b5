import type { ActionMoment } from '../../words/actions.ts';
import { BASELINES } from '../../words/trackers.ts';
import { isKnownZone } from '../broker-time.ts';
import {
  MAX_RELATIVE_PROFIT,
  RELATIVE_DIGITS,
  type TrackerAction,
  type TrackerDefinition,
} from './tracker-definition.ts';

export type TrackerFault = { parameter: string; message: string };

/** All faults of a definition, whatever its account. */
export function checkTracker(definition: TrackerDefinition): TrackerFault[] {
  const faults: TrackerFault[] = [];
  const expect = (holds: boolean, parameter: string, message: string): void => {
    if (!holds) faults.push({ parameter, message });
  };
  for (const [parameter, most] of [
    ['relativeDrawdownThreshold', 1],
    ['relativeProfitThreshold', MAX_RELATIVE_PROFIT],
  ] as const) {
    const value = definition[parameter] ?? 1;
    expect(
      Math.round(value * 10 ** RELATIVE_DIGITS) > 0,
      parameter,
      `must be more than 0, even when rounded to ${RELATIVE_DIGITS} digits`,
    );
    expect(
      !(value > most),
      parameter,
      `must be at most ${most}: it is a fraction of 1, so 0.05 is 5 %`,
    );
  }
  for (const parameter of ['absoluteDrawdownThreshold', 'absoluteProfitThreshold'] as const) {
    expect((definition[parameter] ?? 1) > 0, parameter, 'must be more than 0');
  }
  const { startTimeMs, endTimeMs, initialCapital, lockAt, resetClock } = definition;
  const { baseline = 'startBalance' } = definition;
  expect(
    startTimeMs === undefined || endTimeMs === undefined || startTimeMs < endTimeMs,
    'endBrokerTime',
    'must be after startBrokerTime',
  );
  const needsCapital = baseline === 'initialCapital' || definition.limitBase === 'initialCapital';
  expect(
    initialCapital === undefined ? !needsCapital : initialCapital > 0,
    'initialCapital',
    'must be more than 0, and is required if something is measured by it',
  );
  const limits = definition.relativeDrawdownThreshold ?? definition.absoluteDrawdownThreshold;
  expect(
    lockAt === undefined || (BASELINES[baseline].trails && limits !== undefined && lockAt >= 0),
    'lockAt',
    'needs a trailing baseline and a drawdown threshold, and must not be negative',
  );
  const { actions = [] } = definition;
  expect(actions.length === 0 || limits !== undefined, 'actions', 'need a drawdown threshold');
  faults.push(...checkActions(actions, 'actions', definition));
  const { warnAt = 0.5 } = definition;
  expect(
    Math.round(warnAt * 10 ** RELATIVE_DIGITS) > 0 && warnAt < 1,
    'warnAt',
    'must be more than 0 and less than 1: it is a fraction of the limit, so 0.8 is 80 %',
  );
  expect(
    definition.warnAt === undefined || limits !== undefined,
    'warnAt',
    'needs a drawdown threshold',
  );
  if (resetClock) {
    expect(isKnownZone(resetClock.zone), 'resetClock.zone', 'must be a known IANA zone');
    expect(isTimeOfDay(resetClock.time), 'resetClock.time', 'must be a time of day as HH:mm');
  }
  return faults;
}

/** What actions belong to: a rule on losses, one over deals that warns, another, or a phase. */
type ActionOwner = Pick<TrackerDefinition, 'warnAt' | 'period'> | 'deals' | 'days' | 'phase';

/** All faults of a list of actions; `at` is its path in the tracker or program. */
export function checkActions(
  actions: readonly TrackerAction[],
  at: string,
  owner: ActionOwner,
): TrackerFault[] {
  const faults = [...actions.entries()]
    .filter(([, { action, group }]) => (action === 'moveToGroup') !== (group !== undefined))
    .map(([place]) => ({
      parameter: `${at}.${place}.group`,
      message: 'is required for moveToGroup, and not allowed for other actions',
    }));
  for (const [place, { action, moment = 'breach' }] of actions.entries()) {
    const parameter = `${at}.${place}.moment`;
    const message = momentFault(moment, owner);
    if (message !== undefined) faults.push({ parameter, message });
    if (action === 'enableTrading' && moment !== 'revision' && moment !== 'reset')
      faults.push({ parameter, message: 'must be revision or reset for enableTrading' });
  }
  if (new Set(actions.map(({ action }) => action)).size < actions.length) {
    faults.push({ parameter: at, message: 'must each be listed once' });
  }
  return faults;
}

function momentFault(moment: ActionMoment, owner: ActionOwner): string | undefined {
  if (owner === 'phase') {
    return moment === 'passing' ? undefined : 'must be passing: list others in a rule';
  }
  if (moment === 'passing') return 'must not be passing: list it in the actions of a phase';
  if (moment === 'breach') return undefined;
  if (owner === 'days') return 'must be breach: the rule has no warnings, revisions and resets';
  if (owner === 'deals') {
    return moment === 'warning' ? undefined : 'must be breach or warning: the rule has no others';
  }
  if (moment === 'reset')
    return owner.period === 'lifetime' ? 'must not be reset: a lifetime has none' : undefined;
  if (moment === 'revision' || owner.warnAt !== undefined) return undefined;
  return 'needs warnAt: without it there are no warnings';
}

export const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
