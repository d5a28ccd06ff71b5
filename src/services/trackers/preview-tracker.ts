import type { NewTracker, TrackerPreview } from '../../contract/operations/trackers.ts';
import { type BrokerTimeMs, DAY_MS, formatBrokerTime, HOUR_MS } from '../../domain/broker-time.ts';
import type { TrackerEvent } from '../../domain/live/live-records.ts';
import { known } from '../../domain/live/number-rows.ts';
import type { TrackerDefinition } from '../../domain/live/tracker-definition.ts';
import { calendarSpan } from '../../domain/live/tracker-period.ts';
import { runningPeriod } from '../../domain/live/tracker-records.ts';
import { TrackerRules } from '../../domain/live/tracker-rule.ts';
import { fromUnits, moneyDigits } from '../../domain/money.ts';
import { seedTracker } from '../../engine/seed-tracker.ts';
import { readBuckets } from '../../storage/bucket-store.ts';
import { partitionCount, partitionOf } from '../../storage/journal-store.ts';
import { readPartitions } from '../../storage/partition-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { readLiveAccount } from '../equity-chart/read-live-account.ts';
import { readDefinition } from './create-tracker.ts';
import { presentPeriod } from './present-tracker.ts';

/** A preview looks back so far, and shows so many of the newest events. */
const MAX_PREVIEW_DAYS = 400;
const MAX_EVENTS = 500;

/**
 * What a tracker would have found in the stored hours and deals, had it been there all along;
 * nothing is stored. Throws `validation` naming every fault.
 */
export async function previewTracker(
  context: Context,
  principal: Principal,
  accountId: string,
  input: NewTracker,
): Promise<TrackerPreview> {
  const account = await accessAccount(context, principal, accountId);
  const digits = moneyDigits(account.currency);
  const definition = readDefinition(input, 'preview', digits);
  const { database } = context;
  const partition = partitionOf(accountId, partitionCount(database.kind));
  const owners = await readPartitions(database, partitionCount(database.kind));
  const position = owners.find((row) => row.partition === partition)?.position ?? 0;
  const live = (await readLiveAccount({ database, engine: undefined }, account, false))?.account;
  const lastTimeMs = live && known(live.lastTimeMs);
  if (!live || lastTimeMs === undefined) return { periods: [], events: [] };
  const earliestMs = lastTimeMs - MAX_PREVIEW_DAYS * DAY_MS;
  const [first] = await readBuckets(database, accountId, earliestMs, lastTimeMs + 1, 1);
  const startTimeMs = startOf(definition, first?.startTimeMs ?? hourOf(lastTimeMs));
  const dated = { ...definition, startTimeMs };
  const rules = new TrackerRules();
  const seeded = await seedTracker(database, partition, position, live, dated, rules);
  const running = runningPeriod(live, seeded.tracker);
  const periods = running ? [...seeded.completedPeriods, running] : seeded.completedPeriods;
  return {
    startBrokerTime: formatBrokerTime(startTimeMs),
    endBrokerTime: formatBrokerTime(lastTimeMs),
    periods: periods.slice(-MAX_EVENTS).map((period) => presentPeriod(period, digits)),
    events: seeded.events.slice(-MAX_EVENTS).map((event) => presentFound(event, digits)),
  };
}

/** Its own start where that is later than the history's; else one that begins a whole period. */
function startOf(definition: TrackerDefinition, firstMs: BrokerTimeMs): BrokerTimeMs {
  const { startTimeMs, period, resetClock } = definition;
  if (startTimeMs !== undefined) return Math.max(startTimeMs, firstMs);
  if (period === 'lifetime' || resetClock) return firstMs;
  return calendarSpan(period, firstMs).startMs;
}

const hourOf = (timeMs: BrokerTimeMs): BrokerTimeMs => Math.floor(timeMs / HOUR_MS) * HOUR_MS;

const presentFound = (event: TrackerEvent, digits: number): TrackerPreview['events'][number] => ({
  startBrokerTime: formatBrokerTime(event.startTimeMs),
  brokerTime: formatBrokerTime(event.timeMs),
  exceededThresholdType: event.exceededThresholdType,
  absoluteDrawdown: fromUnits(event.absoluteDrawdown, digits),
  relativeDrawdown: event.relativeDrawdown,
  absoluteProfit: fromUnits(event.absoluteProfit, digits),
  relativeProfit: event.relativeProfit,
});
