import type { Money } from '../money.ts';
import { isClockOff } from './feed-clock.ts';
import { type LimitRoom, limitRoom } from './limit-room.ts';
import type { LiveAccount } from './live-account.ts';
import { known } from './number-rows.ts';
import { withWaitingDeals } from './with-waiting-deals.ts';

/** The figures by which overviews of many accounts are filtered and sorted. */
export type StandingFigures = {
  /** Absent before the first snapshot. */
  balance: Money | undefined;
  equity: Money | undefined;
  /** The used part of the nearest loss limit; absent if none is measured. */
  usedLimit: number | undefined;
  /** That limit was exceeded in its running period. */
  exceeded: boolean;
  trackers: number;
  /** When the newest snapshot was received, or came again. */
  freshUtcMs: number | undefined;
  /** While the clock is noted as off: broker time of that snapshot, in UTC, less its receipt. */
  clockOffMs: number | undefined;
};

export const NO_FIGURES: StandingFigures = {
  ...{ balance: undefined, equity: undefined, usedLimit: undefined, exceeded: false, trackers: 0 },
  ...{ freshUtcMs: undefined, clockOffMs: undefined },
};

export function standingFigures(live: LiveAccount): StandingFigures {
  const account = withWaitingDeals(live);
  const rooms = account.trackers.flatMap((tracker) => limitRoom(account, tracker) ?? []);
  const nearest = nearestLimit(rooms);
  return {
    balance: known(live.balance),
    equity: known(live.equity),
    usedLimit: nearest?.used,
    exceeded: isBreached(nearest),
    trackers: account.trackers.length,
    freshUtcMs: known(live.freshUtcMs),
    clockOffMs: isClockOff(live) ? live.clockOffsetMs : undefined,
  };
}

/**
 * The nearest loss limit: an exceeded one, or else the most used; of equally used ones, the one
 * with the least room.
 */
export function nearestLimit<T extends LimitRoom>(limits: readonly T[]): T | undefined {
  let nearest: T | undefined;
  for (const limit of limits) {
    if (limit.used !== undefined && (!nearest || isNearer(limit, nearest))) nearest = limit;
  }
  return nearest;
}

export const isBreached = (limit: LimitRoom | undefined): boolean => limit?.exceeded === 'drawdown';

function isNearer(a: LimitRoom, b: LimitRoom): boolean {
  if (isBreached(a) !== isBreached(b)) return isBreached(a);
  const [used, other] = [a.used ?? 0, b.used ?? 0];
  if (used !== other) return used > other;
  return a.toFloor !== undefined && b.toFloor !== undefined && a.toFloor < b.toFloor;
}
