import type { LiveAccount } from './live-account.ts';
import { DRAWDOWN_EXCEEDED, type LiveTracker } from './live-tracker.ts';
import { isRunning } from './tracker-records.ts';

export type LimitUse = {
  trackerId: string;
  /** Present drawdown as a part of what is allowed; more than 1 is beyond it. */
  used: number;
  /** The running period has exceeded its drawdown threshold, even if the equity came back. */
  exceeded: boolean;
};

/** How near the running period is to its drawdown threshold; undefined where it has none. */
export function limitUse(account: LiveAccount, tracker: LiveTracker): LimitUse | undefined {
  const { rule } = tracker;
  const hasLimit = Number.isFinite(rule.absoluteDrawdown) || rule.relativeDrawdown >= 0;
  const allowed = tracker.drawdownAllowed;
  const { equity } = account;
  if (!hasLimit || Number.isNaN(equity) || !isRunning(tracker)) return undefined;
  if (Number.isNaN(tracker.baseline)) return undefined;
  const drawdown = Math.max(0, tracker.baseline - (equity - tracker.adjustment));
  const exceeded = tracker.exceeded === DRAWDOWN_EXCEEDED;
  if (!(allowed > 0)) return { trackerId: tracker.id, used: drawdown > 0 ? 1 : 0, exceeded };
  return { trackerId: tracker.id, used: drawdown / allowed, exceeded };
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
