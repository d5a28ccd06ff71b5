import { awaitStart } from './enter-period.ts';
import type { LiveAccount } from './live-account.ts';
import { LiveTracker } from './live-tracker.ts';
import { forgetQuietBand } from './quiet-band.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/**
 * Adds a tracker that measures from the account's next snapshot at or after its start. A tracker
 * with the same id must not be there. For a start in the past see addSeededTracker.
 */
export function addTracker(
  account: LiveAccount,
  definition: TrackerDefinition,
  rules: TrackerRules,
): LiveTracker {
  const tracker = makeTracker(definition, rules);
  awaitStart(tracker, account);
  account.trackers.push(tracker);
  forgetQuietBand(account);
  return tracker;
}

/** Whether there was such a tracker. (A new name changes nothing here: names are not live state.) */
export function removeTracker(account: LiveAccount, trackerId: string): boolean {
  const index = account.trackers.findIndex((tracker) => tracker.id === trackerId);
  if (index >= 0) account.trackers.splice(index, 1);
  forgetQuietBand(account);
  return index >= 0;
}

/** The tracker with no state yet. */
export function makeTracker(definition: TrackerDefinition, rules: TrackerRules): LiveTracker {
  return new LiveTracker(
    definition.id,
    rules.ruleOf(definition),
    definition.startTimeMs ?? Number.NaN,
    definition.endTimeMs ?? Number.POSITIVE_INFINITY,
  );
}
