import type { BrokerClock } from '../../src/domain/broker-time.ts';
import type { PeriodStatistics, TrackerEvent } from '../../src/domain/live/live-records.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { OracleItem } from './oracle-items.ts';
import { evaluatePeriod } from './oracle-period.ts';
import { firstUtcOf, type OraclePeriod, oraclePeriodAt } from './oracle-time.ts';

/**
 * The stretch of the feed, by order, in which a period was the tracker's running one.
 */
export type Stretch = { period: OraclePeriod; from: number; until: number };

export type TrackerOutcome = { statistics: PeriodStatistics[]; events: TrackerEvent[] };

export function oracleTracker(
  accountId: string,
  definition: TrackerDefinition,
  clock: BrokerClock,
  items: readonly OracleItem[],
): TrackerOutcome {
  const outcome: TrackerOutcome = { statistics: [], events: [] };
  for (const stretch of stretchesOf(definition, clock, items)) {
    const { statistics, events } = evaluatePeriod(accountId, definition, clock, items, stretch);
    outcome.statistics.push(statistics);
    outcome.events.push(...events);
  }
  return outcome;
}

/**
 * A period begins with the first snapshot or deal in it, and ends with the first after it. None
 * begins before the account's first snapshot.
 */
export function stretchesOf(
  definition: TrackerDefinition,
  clock: BrokerClock,
  items: readonly OracleItem[],
): Stretch[] {
  const { startTimeMs, endTimeMs } = definition;
  const startUtcMs = startTimeMs === undefined ? -Infinity : firstUtcOf(startTimeMs, clock);
  const endUtcMs = endTimeMs === undefined ? Infinity : firstUtcOf(endTimeMs + 1, clock);
  const stretches: Stretch[] = [];
  const firstOrder = items.find((item) => item.kind === 'snapshot')?.order ?? Infinity;
  let running: Stretch | undefined;
  let reachedUtcMs = startUtcMs;
  for (const item of items) {
    if (item.utcMs < reachedUtcMs) continue;
    if (!running && item.order < firstOrder) continue;
    if (running) running.until = item.order;
    if (item.utcMs >= endUtcMs) break;
    const period = oraclePeriodAt(definition, clock, item.utcMs);
    running = { period, from: item.order, until: Infinity };
    stretches.push(running);
    reachedUtcMs = period.endUtcMs;
  }
  return stretches;
}
