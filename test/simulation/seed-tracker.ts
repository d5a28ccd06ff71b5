import { compareDeals } from '../../src/domain/deal.ts';
import type { LiveAccount } from '../../src/domain/live/live-account.ts';
import type { EquityBucket, LiveDeal } from '../../src/domain/live/live-records.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import {
  HOURS_BEFORE_START,
  type SeededTracker,
  TrackerSeeding,
} from '../../src/domain/live/tracker-seeding.ts';

/** Seeds a tracker from an account's stored data, in pages of a number of rows. */
export function seedTracker(
  account: LiveAccount,
  definition: TrackerDefinition,
  rules: TrackerRules,
  stored: { hours: readonly EquityBucket[]; deals: readonly LiveDeal[] },
  rowsPerPage = 1000,
): SeededTracker {
  const { startTimeMs = Number.NaN } = definition;
  const earlier = stored.hours.filter((hour) => hour.startTimeMs < startTimeMs);
  const fromMs = earlier.slice(-HOURS_BEFORE_START)[0]?.startTimeMs ?? startTimeMs;
  const hours = stored.hours.filter((hour) => hour.startTimeMs >= fromMs);
  const deals = stored.deals.filter(({ timeMs }) => timeMs >= fromMs).sort(compareDeals);
  const seeding = new TrackerSeeding(account, definition, rules);
  while (seeding.needs !== 'nothing') {
    if (seeding.needs === 'hours') seeding.takeHours(hours.splice(0, rowsPerPage));
    else seeding.takeDeals(deals.splice(0, rowsPerPage));
  }
  return seeding.finish();
}
