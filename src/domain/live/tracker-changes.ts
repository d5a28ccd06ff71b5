import { awaitStart } from './enter-period.ts';
import type { LiveAccount } from './live-account.ts';
import { LiveTracker } from './live-tracker.ts';
import { forgetTracker, logJoined } from './log-changes.ts';
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
  const tracker = beginTracker(account, definition, rules);
  logJoined(account, [tracker], []);
  return tracker;
}

/** Adds a tracker of an enrolment, likewise. */
export function beginTracker(
  account: LiveAccount,
  definition: TrackerDefinition,
  rules: TrackerRules,
): LiveTracker {
  const tracker = makeTracker(definition, rules, account.rows.trackers.take());
  awaitStart(tracker, account);
  account.attach(tracker);
  return tracker;
}

/** Returns whether the account had the tracker. */
export function removeTracker(account: LiveAccount, trackerId: string): boolean {
  const removed = account.detach(trackerId);
  forgetTracker(account, trackerId);
  if (removed) account.rows.trackers.giveBack(removed);
  return removed !== undefined;
}

/** Attaches a tracker that was made elsewhere: its numbers are copied to the account's memory. */
export function attachTracker(account: LiveAccount, made: LiveTracker): LiveTracker {
  const row = account.rows.trackers.take();
  const tracker = made.copyTo(row);
  account.attach(tracker);
  logJoined(account, [tracker], []);
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

/** Whether a loss of the account can break a limit. */
export const hasLossLimit = ({ trackers }: LiveAccount): boolean =>
  trackers.some(
    ({ rule }) => Number.isFinite(rule.absoluteDrawdown) || Number.isFinite(rule.relativeDrawdown),
  );
