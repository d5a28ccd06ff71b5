import { limitRoom } from './limit-room.ts';
import type { LiveAccount } from './live-account.ts';
import type { LiveTracker } from './live-tracker.ts';

export type LimitUse = {
  trackerId: string;
  /** Present drawdown as a part of its limit; more than 1 is beyond it. */
  used: number;
  /** The running period has exceeded its drawdown threshold, even if the equity came back. */
  exceeded: boolean;
};

/** How near the running period is to its drawdown threshold; undefined where it has none. */
export function limitUse(account: LiveAccount, tracker: LiveTracker): LimitUse | undefined {
  const room = limitRoom(account, tracker);
  if (room?.used === undefined) return undefined;
  return { trackerId: room.trackerId, used: room.used, exceeded: room.exceeded === 'drawdown' };
}

/** The tracker that is nearest to its limit; one that has exceeded it comes before all others. */
export function worstLimitUse(account: LiveAccount): LimitUse | undefined {
  let worst: LimitUse | undefined;
  for (const tracker of account.trackers) {
    const use = limitUse(account, tracker);
    if (use && (!worst || isWorse(use, worst))) worst = use;
  }
  return worst;
}

const isWorse = (a: LimitUse, b: LimitUse): boolean =>
  a.exceeded === b.exceeded ? a.used > b.used : a.exceeded;
