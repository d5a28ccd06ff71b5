import type { NewTracker, TrackerPreview } from '../../contract/operations/trackers.ts';
import { type BrokerTimeMs, formatBrokerTime, startOfHour } from '../../domain/broker-time.ts';
import { isBreach, type TrackerEvent } from '../../domain/live/live-records.ts';
import type { TrackerDefinition } from '../../domain/live/tracker-definition.ts';
import { calendarSpan } from '../../domain/live/tracker-period.ts';
import { runningPeriod } from '../../domain/live/tracker-records.ts';
import { fromUnits, moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { seedTracker } from '../../engine/seed-tracker.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { readDefinition } from './create-tracker.ts';
import { presentPeriod } from './present-tracker.ts';
import { previewSource } from './preview-source.ts';

/** The newest ones. */
const MAX_EVENTS = 500;

/**
 * The findings of a tracker in the stored hours and deals, had it existed all along; without
 * snapshots, in the balances that the deals made. Nothing is stored. Throws `validation` naming
 * every fault.
 */
export async function previewTracker(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  input: NewTracker,
): Promise<TrackerPreview> {
  const account = await accessAccount(context, principal, accountId);
  const digits = moneyDigits(account.currency);
  const definition = readDefinition(input, 'preview', digits);
  const { database, rules } = context;
  const seen = await previewSource(context, account.number);
  if (!seen) return { periods: [], events: [] };
  const { source, firstMs = startOfHour(seen.lastTimeMs), lastTimeMs, seenBy } = seen;
  const startTimeMs = startOf(definition, firstMs);
  const dated = { ...definition, startTimeMs };
  const seeded = await seedTracker(database, source, dated, rules);
  const running = runningPeriod(source.account, seeded.tracker);
  const periods = running ? [...seeded.completedPeriods, running] : seeded.completedPeriods;
  return {
    startBrokerTime: formatBrokerTime(startTimeMs),
    endBrokerTime: formatBrokerTime(lastTimeMs),
    seenBy,
    periods: periods.slice(-MAX_EVENTS).map((period) => presentPeriod(period, digits)),
    events: seeded.events
      .filter(isBreach)
      .slice(-MAX_EVENTS)
      .map((event) => presentFound(event, digits)),
  };
}

/**
 * Its own start, but not before the history; otherwise that of the period in which the history
 * begins.
 */
function startOf(definition: TrackerDefinition, firstMs: BrokerTimeMs): BrokerTimeMs {
  const { startTimeMs, period, resetClock } = definition;
  if (startTimeMs !== undefined) return Math.max(startTimeMs, firstMs);
  if (period === 'lifetime' || resetClock) return firstMs;
  return calendarSpan(period, firstMs).startMs;
}

const presentFound = (event: TrackerEvent, digits: number): TrackerPreview['events'][number] => ({
  startBrokerTime: formatBrokerTime(event.startTimeMs),
  brokerTime: formatBrokerTime(event.timeMs),
  exceededThresholdType: event.exceededThresholdType,
  absoluteDrawdown: fromUnits(event.absoluteDrawdown, digits),
  relativeDrawdown: event.relativeDrawdown,
  absoluteProfit: fromUnits(event.absoluteProfit, digits),
  relativeProfit: event.relativeProfit,
});
