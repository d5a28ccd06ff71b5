import type { NewTracker, TrackerPreview } from '../../contract/operations/trackers.ts';
import { type BrokerTimeMs, DAY_MS, formatBrokerTime, HOUR_MS } from '../../domain/broker-time.ts';
import { moneyOf } from '../../domain/deal.ts';
import { FoldEffects, type LiveDeal, type TrackerEvent } from '../../domain/live/live-records.ts';
import { known } from '../../domain/live/number-rows.ts';
import type { TrackerDefinition } from '../../domain/live/tracker-definition.ts';
import { calendarSpan } from '../../domain/live/tracker-period.ts';
import { runningPeriod } from '../../domain/live/tracker-records.ts';
import { TrackerRules } from '../../domain/live/tracker-rule.ts';
import { type AccountHistory, addSeededTracker } from '../../domain/live/tracker-seed.ts';
import { fromUnits, moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { listDeals } from '../../storage/deal-store.ts';
import { readHours } from '../../storage/hour-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { readDefinition } from './create-tracker.ts';
import { presentPeriod } from './present-tracker.ts';

/** A preview looks back so far, and shows so many of the newest events. */
const MAX_PREVIEW_DAYS = 400;
const MAX_EVENTS = 500;
const MAX_HOURS = 24 * MAX_PREVIEW_DAYS;
const MAX_TIME_MS = Number.MAX_SAFE_INTEGER;
const DEALS_PER_READ = 2000;

/**
 * What a tracker would have found in the stored hours and deals, had it been there all along;
 * nothing is stored. Throws `validation` naming every fault.
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
  const { database } = context;
  const { number } = account;
  const live = await context.live.read(number, false, (view) => view.copy([], new TrackerRules()));
  const lastTimeMs = live && known(live.lastTimeMs);
  if (!live || lastTimeMs === undefined) return { periods: [], events: [] };
  const earliestMs = lastTimeMs - MAX_PREVIEW_DAYS * DAY_MS;
  const [first] = await readHours(database, number, earliestMs, lastTimeMs + 1, 1);
  const startTimeMs = startOf(definition, first?.startTimeMs ?? hourOf(lastTimeMs));
  const history = await readHistory(database, account, startTimeMs);
  const effects = new FoldEffects();
  const dated = { ...definition, startTimeMs };
  const tracker = addSeededTracker(live, dated, new TrackerRules(), history, effects);
  const running = runningPeriod(live, tracker);
  const periods = running ? [...effects.completedPeriods, running] : effects.completedPeriods;
  return {
    startBrokerTime: formatBrokerTime(startTimeMs),
    endBrokerTime: formatBrokerTime(lastTimeMs),
    periods: periods.slice(-MAX_EVENTS).map((period) => presentPeriod(period, digits)),
    events: effects.events.slice(-MAX_EVENTS).map((event) => presentFound(event, digits)),
  };
}

async function readHistory(
  sql: Sql,
  { number, id }: Account,
  sinceMs: BrokerTimeMs,
): Promise<AccountHistory> {
  const hours = await readHours(sql, number, hourOf(sinceMs), MAX_TIME_MS, MAX_HOURS);
  const deals: LiveDeal[] = [];
  for (let after = { timeMs: sinceMs - 1, id: '\u{10ffff}' }; ; ) {
    const page = await listDeals(sql, number, after, DEALS_PER_READ);
    for (const deal of page) {
      deals.push({ id: deal.id, type: deal.type, timeMs: deal.timeMs, money: moneyOf(deal) });
    }
    const last = page.at(-1);
    if (!last || page.length < DEALS_PER_READ) break;
    after = { timeMs: last.timeMs, id: last.id };
  }
  const buckets = hours.map(({ accountNumber: _, ...hour }) => ({ ...hour, accountId: id }));
  return { buckets, deals };
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
