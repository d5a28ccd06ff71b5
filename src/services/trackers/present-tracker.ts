import type {
  NewTracker,
  PeriodStatisticsRecord,
  TrackerRecord,
} from '../../contract/operations/trackers.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import type { PeriodStatistics } from '../../domain/live/live-records.ts';
import type { TrackerDefinition } from '../../domain/live/tracker-definition.ts';
import { fromUnits } from '../../domain/money.ts';

/** Fields of a tracker that are money. */
export const MONEY_FIELDS = [
  'absoluteDrawdownThreshold',
  'absoluteProfitThreshold',
  'initialCapital',
  'lockAt',
] as const satisfies readonly (keyof NewTracker & keyof TrackerDefinition)[];

export function presentTracker(definition: TrackerDefinition, digits: number): TrackerRecord {
  const { id, name, period, startTimeMs, endTimeMs, adjustDeals, actions, ...rest } = definition;
  const money: Partial<Record<(typeof MONEY_FIELDS)[number], number>> = {};
  for (const field of MONEY_FIELDS) {
    const amount = definition[field];
    if (amount !== undefined) money[field] = fromUnits(amount, digits);
  }
  const record: TrackerRecord = {
    _id: id,
    name,
    period,
    ...(startTimeMs === undefined ? {} : { startBrokerTime: formatBrokerTime(startTimeMs) }),
    ...(endTimeMs === undefined ? {} : { endBrokerTime: formatBrokerTime(endTimeMs) }),
    ...(adjustDeals === undefined ? {} : { adjustDeals: [...adjustDeals] }),
    ...(actions === undefined ? {} : { actions: [...actions] }),
  };
  return Object.assign(record, rest, money);
}

export const presentPeriod = (
  period: PeriodStatistics,
  digits: number,
): PeriodStatisticsRecord => ({
  startBrokerTime: formatBrokerTime(period.startTimeMs),
  ...(period.endTimeMs === undefined ? {} : { endBrokerTime: formatBrokerTime(period.endTimeMs) }),
  period: period.period,
  periodStatus: period.periodStatus,
  ...(period.initialBalance === undefined
    ? {}
    : { initialBalance: fromUnits(period.initialBalance, digits) }),
  balanceAdjustment: fromUnits(period.adjustment, digits),
  maxAbsoluteDrawdown: fromUnits(period.maxAbsoluteDrawdown, digits),
  maxRelativeDrawdown: period.maxRelativeDrawdown,
  ...(period.maxDrawdownTimeMs === undefined
    ? {}
    : { maxDrawdownTime: formatBrokerTime(period.maxDrawdownTimeMs) }),
  maxAbsoluteProfit: fromUnits(period.maxAbsoluteProfit, digits),
  maxRelativeProfit: period.maxRelativeProfit,
  ...(period.maxProfitTimeMs === undefined
    ? {}
    : { maxProfitTime: formatBrokerTime(period.maxProfitTimeMs) }),
  thresholdExceeded: period.thresholdExceeded,
  ...(period.exceededThresholdType === undefined
    ? {}
    : { exceededThresholdType: period.exceededThresholdType }),
  tradeDayCount: period.tradeDayCount,
});
