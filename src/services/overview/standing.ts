import type { Reading } from '../../domain/live/capital-flow.ts';
import { isClockOff } from '../../domain/live/feed-clock.ts';
import { type LimitRoom, limitRoom } from '../../domain/live/limit-room.ts';
import type { LiveAccount } from '../../domain/live/live-account.ts';
import type { Running } from '../../domain/live/loss-rate.ts';
import { known } from '../../domain/live/number-rows.ts';
import type { Money } from '../../domain/money.ts';
import type { AccountView } from '../../engine/account-view.ts';
import type { Account } from '../../storage/account-store.ts';
import type { AccountState } from '../../words/accounts.ts';
import type { TrackerNames } from '../trackers/tracker-names.ts';

/** How long a snapshot counts as new, from its receipt on. */
export const FRESH_MS = 300_000;
/** From this used part on, a limit is near. */
export const NEAR = 0.75;

export type NamedLimit = LimitRoom & { name: string };

/** The standing of an account as of its newest snapshot. All fields are absent before the first. */
export type Standing = {
  balance: Money | undefined;
  equity: Money | undefined;
  lastTimeMs: number | undefined;
  /** Its receipt: this alone decides between live and stale. */
  freshUtcMs: number | undefined;
  /** Its broker time, in UTC, less its receipt, and whether the clock is noted as off. */
  clockOffsetMs: number | undefined;
  isClockOff: boolean;
  hourStartMs: number | undefined;
  hourStartBalance: Money | undefined;
  hourStartEquity: Money | undefined;
  /** Of the trackers and enrolments' limits with a running period, in order of creation. */
  limits: NamedLimit[];
};

export const NO_STANDING: Standing = {
  ...{ balance: undefined, equity: undefined, lastTimeMs: undefined, freshUtcMs: undefined },
  ...{ clockOffsetMs: undefined, isClockOff: false },
  ...{ hourStartMs: undefined, hourStartBalance: undefined, hourStartEquity: undefined },
  limits: [],
};

/** The standing in the stored state of an account. */
export function standingOf(live: LiveAccount, names: TrackerNames): Standing {
  return {
    balance: known(live.balance),
    equity: known(live.equity),
    lastTimeMs: known(live.lastTimeMs),
    freshUtcMs: known(live.freshUtcMs),
    clockOffsetMs: known(live.clockOffsetMs),
    isClockOff: isClockOff(live),
    hourStartMs: known(live.hourStartMs),
    hourStartBalance: known(live.hourStartBalance),
    hourStartEquity: known(live.hourStartEquity),
    limits: named(
      live.trackers.flatMap((tracker) => limitRoom(live, tracker) ?? []),
      names,
    ),
  };
}

/** The standing of an account at this moment. */
export function standingNow(view: AccountView, names: TrackerNames): Standing {
  const { balance, equity, lastTimeMs, freshUtcMs, clockOffsetMs, isClockOff } = view;
  const hour = view.runningHour();
  return {
    ...{ balance, equity, lastTimeMs, freshUtcMs, clockOffsetMs, isClockOff },
    hourStartMs: hour?.startTimeMs,
    hourStartBalance: hour?.startBalance,
    hourStartEquity: hour?.startEquity,
    limits: named(view.limitRooms(), names),
  };
}

/**
 * A tracker deleted in between has no name, and is left out; so is the one that keeps an
 * enrolment's progress.
 */
function named(rooms: readonly LimitRoom[], names: TrackerNames): NamedLimit[] {
  return rooms.flatMap((room) => {
    const name = names.get(room.trackerId);
    return name === undefined ? [] : [{ ...room, name }];
  });
}

/** The newest snapshot and the running hour; undefined before the first snapshot. */
export function runningOf(standing: Standing): Running | undefined {
  const { lastTimeMs, balance, equity } = standing;
  const { hourStartMs, hourStartBalance, hourStartEquity } = standing;
  if (lastTimeMs === undefined || balance === undefined || equity === undefined) return undefined;
  if (hourStartMs === undefined || hourStartBalance === undefined) return undefined;
  if (hourStartEquity === undefined) return undefined;
  return { lastTimeMs, balance, equity, hourStartMs, hourStartBalance, hourStartEquity };
}

/** The newest snapshot. */
export const readingNow = ({ lastTimeMs, balance, equity }: Running): Reading => ({
  ...{ fromMs: lastTimeMs, toMs: lastTimeMs, balance, equity },
});

export function standingStateOf(
  { deployed }: Pick<Account, 'deployed'>,
  { freshUtcMs }: Pick<Standing, 'freshUtcMs'>,
  nowMs: number,
): AccountState {
  if (!deployed) return 'undeployed';
  if (freshUtcMs === undefined) return 'waiting';
  // A snapshot received later than now came in by a wrong clock: its age is unknown.
  return Math.abs(nowMs - freshUtcMs) <= FRESH_MS ? 'live' : 'stale';
}

/** A record's data on the newest snapshot's age and clock. */
export const presentAge = (
  { freshUtcMs, clockOffsetMs }: Pick<Standing, 'freshUtcMs' | 'clockOffsetMs'>,
  nowMs: number,
) => ({
  ...(freshUtcMs === undefined ? {} : { ageSeconds: (nowMs - freshUtcMs) / 1000 }),
  ...(clockOffsetMs === undefined ? {} : { clockOffsetSeconds: clockOffsetMs / 1000 }),
});

/**
 * An account in use without a measured loss limit, so that no loss would be reported. One filled
 * only by statements is not in use.
 */
export function isUnwatched(
  { deployed, profileId }: Pick<Account, 'deployed' | 'profileId'>,
  { freshUtcMs }: Pick<Standing, 'freshUtcMs'>,
  { trackers, isMeasured }: { trackers: number; isMeasured: boolean },
): boolean {
  const isInUse = deployed && (freshUtcMs !== undefined || profileId !== null || trackers > 0);
  return isInUse && !isMeasured;
}

/** Whether a loss limit is measured now. */
export const hasMeasuredLimit = ({ limits }: Standing): boolean =>
  limits.some(({ floor }) => floor !== undefined);
