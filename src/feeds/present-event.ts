import type {
  DrawdownEventRecord,
  TrackerEventRecord,
} from '../contract/operations/tracker-events.ts';
import { formatBrokerTime } from '../domain/broker-time.ts';
import { fromUnits } from '../domain/money.ts';
import type { StoredEvent } from '../storage/event-store.ts';

export const presentDrawdownEvent = ({
  sequenceNumber,
  moneyDigits,
  event,
}: StoredEvent): DrawdownEventRecord => ({
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

export const presentTrackerEvent = (stored: StoredEvent): TrackerEventRecord => ({
  ...presentDrawdownEvent(stored),
  absoluteProfit: fromUnits(stored.event.absoluteProfit, stored.moneyDigits),
  relativeProfit: stored.event.relativeProfit,
  exceededThresholdType: stored.event.exceededThresholdType,
});
