import { noteSilence, noteUnwatched } from '../domain/live/feed-silence.ts';
import type { FoldEffects } from '../domain/live/fold-effects.ts';
import { settleBreaches } from '../domain/live/settle-breaches.ts';
import { addTracker, hasLossLimit, removeTracker } from '../domain/live/tracker-changes.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { startsInPast } from '../domain/live/tracker-seeding.ts';
import {
  addEnrolment,
  endEnrolment,
  pauseEnrolment,
  reinstateEnrolment,
  resumeEnrolment,
} from '../domain/programs/enrolment-changes.ts';
import type { Command } from '../journal/entry.ts';
import type { TrackedAccount } from './tracked-account.ts';

/**
 * Changes what the account measures, between two snapshots. A command that adds what the account
 * already has does nothing. A tracker that starts in the past puts the account on hold, until it is
 * seeded; `position` is the command's place in the journal.
 */
export function applyCommand(
  account: TrackedAccount,
  command: Command,
  position: number,
  receivedUtcMs: number,
  rules: TrackerRules,
  effects: FoldEffects,
): void {
  switch (command.kind) {
    case 'tracker-added': {
      const { definition } = command;
      if (account.trackers.some(({ id }) => id === definition.id)) return;
      if (startsInPast(account, definition)) {
        account.hold = { tracker: definition, position, waiting: [] };
      } else addTracker(account, definition, rules);
      return;
    }
    case 'tracker-removed': {
      const hadLimit = hasLossLimit(account);
      removeTracker(account, command.trackerId);
      if (hadLimit && !hasLossLimit(account)) noteUnwatched(account, receivedUtcMs, effects);
      account.toStore().removedTrackers.push(command.trackerId);
      return;
    }
    case 'enrolment-added': {
      const { definition } = command;
      if (account.enrolments.some(({ id }) => id === definition.id)) return;
      addEnrolment(account, definition, rules);
      return;
    }
    case 'enrolment-changed':
      changeEnrolment(account, command, receivedUtcMs, effects);
      return;
    case 'feed-silent':
      noteSilence(account, command, effects);
      return;
    case 'breach-settled':
      settleBreaches(account, receivedUtcMs, effects);
      return;
    case 'clock-changed':
      account.changeClock(rules.clocks.viewOf(command.clock));
      account.brokerClock = rules.clocks.sharedClock(command.clock);
      return;
    case 'quarantine-ended':
    case 'account-removed':
      return;
  }
}

/** An enrolment that has already ended stays unchanged. */
function changeEnrolment(
  account: TrackedAccount,
  { enrolmentId, to, by }: Extract<Command, { kind: 'enrolment-changed' }>,
  utcMs: number,
  effects: FoldEffects,
): void {
  const enrolment = account.enrolments.find(({ id }) => id === enrolmentId);
  if (!enrolment) return;
  const moment = { timeMs: account.clock.brokerTimeOf(utcMs), utcMs, by };
  if (enrolment.isHeld && !enrolment.isDisputed) return;
  if (enrolment.isDisputed) {
    if (to === 'running') reinstateEnrolment(account, enrolment, moment, effects);
  } else if (to === 'paused') pauseEnrolment(account, enrolment, moment, effects);
  else if (to === 'running') resumeEnrolment(account, enrolment, moment, effects);
  else endEnrolment(account, enrolment, { to, ...moment }, effects);
}
