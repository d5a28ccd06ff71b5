import { awaitStart } from './enter-period.ts';
import type { LiveAccount } from './live-account.ts';
import { LiveTracker } from './live-tracker.ts';
import type { NumberRow } from './number-rows.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/**
 * Adds a tracker that measures from the account's next snapshot at or after its start. The account
 * must not have one of the same id. For a start in the past see TrackerSeeding.
 */
export function addTracker(
  account: LiveAccount,
  definition: TrackerDefinition,
  rules: TrackerRules,
): LiveTracker {
  const tracker = makeTracker(definition, rules, account.rows.trackers.take());
  awaitStart(tracker, account);
  account.attach(tracker);
  return tracker;
}

/** Attaches a tracker that was made elsewhere: its numbers are copied to the account's memory. */
export function attachTracker(account: LiveAccount, made: LiveTracker): LiveTracker {
  const row = account.rows.trackers.take();
  const tracker = made.copyTo(row);
  account.attach(tracker);
  return tracker;
}

/** A tracker that has no state yet. */
export function makeTracker(
  definition: TrackerDefinition,
  rules: TrackerRules,
  row: NumberRow,
): LiveTracker {
  return new LiveTracker(
    row,
    definition.id,
    rules.ruleOf(definition),
    definition.startTimeMs,
    definition.endTimeMs,
  );
}
