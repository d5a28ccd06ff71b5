import type {
  DrawdownEventRecord,
  EnrolmentEventRecord,
  EventRecord,
  FeedEventRecord,
  LimitWarningRecord,
  RevisionEventRecord,
  TrackerEventRecord,
} from '../contract/operations/tracker-events.ts';
import { formatBrokerTime } from '../domain/broker-time.ts';
import {
  type FeedChange,
  isBreach,
  isFeedChange,
  isRevision,
  isRuleWarning,
  isTransition,
  type Revision,
  type TrackerEvent,
} from '../domain/live/live-records.ts';
import { fromUnits } from '../domain/money.ts';
import { equationOf } from '../domain/programs/deal-limits.ts';
import type { EnrolmentTransition } from '../domain/programs/enrolment-transition.ts';
import { ruleTrackerId } from '../domain/programs/phase-trackers.ts';
import type { RuleWarning } from '../domain/programs/rule-warning.ts';
import type { StoredEvent } from '../storage/event-feed-store.ts';
import { MAX_WARNING_DEALS } from '../words/programs.ts';

export function presentEvent({ event, ...place }: StoredEvent): EventRecord {
  if (isTransition(event)) return presentEnrolmentEvent({ ...place, event });
  if (isFeedChange(event)) return presentFeedEvent({ ...place, event });
  if (isRevision(event)) return presentRevision({ ...place, event });
  if (isRuleWarning(event)) return presentRuleWarning({ ...place, event });
  return isBreach(event)
    ? presentTrackerEvent({ ...place, event })
    : presentWarning({ ...place, event });
}

/** Events of drawdowns only. */
export function presentDrawdowns(events: readonly StoredEvent[]): DrawdownEventRecord[] {
  return events.flatMap(({ event, ...place }) =>
    isBreach(event) ? [presentDrawdown({ ...place, event })] : [],
  );
}

const presentDrawdown = ({
  sequenceNumber,
  moneyDigits,
  event,
}: StoredEvent<TrackerEvent | Revision>): DrawdownEventRecord => ({
  sequenceNumber,
  accountId: event.accountId,
  trackerId: event.trackerId,
  startBrokerTime: formatBrokerTime(event.startTimeMs),
  ...(event.endTimeMs === undefined ? {} : { endBrokerTime: formatBrokerTime(event.endTimeMs) }),
  period: event.period,
  brokerTime: formatBrokerTime(event.timeMs),
  absoluteDrawdown: fromUnits(event.absoluteDrawdown, moneyDigits),
  relativeDrawdown: event.relativeDrawdown,
});

const presentProfit = ({ event, moneyDigits }: StoredEvent<TrackerEvent | Revision>) => ({
  absoluteProfit: fromUnits(event.absoluteProfit, moneyDigits),
  relativeProfit: event.relativeProfit,
});

export const presentTrackerEvent = (stored: StoredEvent<TrackerEvent>): TrackerEventRecord => ({
  kind: stored.event.exceededThresholdType,
  ...presentDrawdown(stored),
  ...presentProfit(stored),
  exceededThresholdType: stored.event.exceededThresholdType,
});

const presentWarning = (stored: StoredEvent<TrackerEvent>): LimitWarningRecord => {
  const { warnAt = 0, absoluteDrawdown, allowed } = stored.event;
  const used = allowed > 0 ? absoluteDrawdown / allowed : 1;
  return { kind: 'warning', ...presentDrawdown(stored), warnAt, used };
};

const presentRuleWarning = ({
  sequenceNumber,
  moneyDigits,
  event: { accountId, enrolmentId, rule, startTimeMs, timeMs, warnAt, near },
}: StoredEvent<RuleWarning>): LimitWarningRecord => ({
  ...{ sequenceNumber, kind: 'warning', accountId },
  trackerId: ruleTrackerId(enrolmentId, near.ruleIndex),
  ...{ startBrokerTime: formatBrokerTime(startTimeMs), period: 'lifetime' },
  ...{ brokerTime: formatBrokerTime(timeMs), warnAt, used: near.used ?? 1 },
  ...{
    rule,
    equation: equationOf(near, moneyDigits),
    dealIds: near.dealIds.slice(0, MAX_WARNING_DEALS),
  },
});

export const presentRevision = (stored: StoredEvent<Revision>): RevisionEventRecord => {
  const { sequenceNumber, ...measured } = presentDrawdown(stored);
  const { stillExceeded } = stored.event;
  const revises = stored.revises ?? 0;
  const kind = 'revision';
  return { sequenceNumber, kind, revises, stillExceeded, ...measured, ...presentProfit(stored) };
};

const presentEnrolmentEvent = ({
  sequenceNumber,
  event: { accountId, enrolmentId, to, timeMs, rule, breach },
}: StoredEvent<EnrolmentTransition>): EnrolmentEventRecord => ({
  ...{ sequenceNumber, kind: 'enrolment', accountId, enrolmentId, state: to },
  brokerTime: formatBrokerTime(timeMs),
  ...(rule === undefined ? {} : { rule }),
  ...(breach === undefined ? {} : { trackerId: breach.trackerId }),
});

const presentFeedEvent = ({
  sequenceNumber,
  event: { accountId, feed, timeMs, silentMs, offsetMs, reason },
}: StoredEvent<FeedChange>): FeedEventRecord => ({
  ...{ sequenceNumber, kind: feed, accountId },
  brokerTime: formatBrokerTime(timeMs),
  ...(silentMs === undefined ? {} : { silentSeconds: silentMs / 1000 }),
  ...(reason === undefined ? {} : { reason }),
  ...(offsetMs === undefined ? {} : { clockOffsetSeconds: offsetMs / 1000 }),
});
