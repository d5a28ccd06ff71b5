import type { BrokerTimeMs } from '../broker-time.ts';
import type { FoldEffects } from './fold-effects.ts';
import type { LiveAccount } from './live-account.ts';

/** A clock is off if it differs by more than this from the server's. */
export const CLOCK_OFF_MS = 120_000;
/** It is right again when it differs by less than this: a clock at the edge is reported once. */
const CLOCK_RIGHT_MS = 60_000;
/** A wrong clock is off by a constant. A feed that catches up is off by less and less. */
const ALIKE_MS = 60_000;
const FOR_MS = 30_000;

/**
 * Compares the broker time of a snapshot that is newer than all before, in UTC, with its receipt.
 * The difference decides nothing else: only the receipt tells whether data comes in, and only the
 * broker time tells which period a snapshot belongs to. Notes when a clock begins to be off, and
 * when that ends, once each.
 */
export function judgeClock(
  account: LiveAccount,
  timeMs: BrokerTimeMs,
  utcMs: number,
  receivedUtcMs: number,
  effects: FoldEffects,
): void {
  const offsetMs = utcMs - receivedUtcMs;
  account.clockOffsetMs = offsetMs;
  const isNoted = isClockOff(account);
  if (Math.abs(offsetMs) > CLOCK_OFF_MS ? isNoted : !isNoted) {
    if (!Number.isNaN(account.doubtSinceUtcMs)) account.doubtSinceUtcMs = Number.NaN;
    return;
  }
  if (isNoted) {
    if (Math.abs(offsetMs) >= CLOCK_RIGHT_MS) return;
    const sinceUtcMs = account.clockOffSinceUtcMs;
    account.clockOffSinceUtcMs = Number.NaN;
    effects.feedChanges.push({ ...changeOf(account, timeMs), feed: 'clockRight', sinceUtcMs });
    return;
  }
  if (!(Math.abs(offsetMs - account.doubtOffsetMs) <= ALIKE_MS && account.doubtSinceUtcMs >= 0)) {
    account.doubtSinceUtcMs = receivedUtcMs;
    account.doubtOffsetMs = offsetMs;
    return;
  }
  if (!(receivedUtcMs - account.doubtSinceUtcMs >= FOR_MS)) return;
  const sinceUtcMs = account.doubtSinceUtcMs;
  account.doubtSinceUtcMs = Number.NaN;
  account.clockOffSinceUtcMs = sinceUtcMs;
  effects.feedChanges.push({ ...changeOf(account, timeMs), feed: 'clockOff', sinceUtcMs });
}

/** Whether the clock is noted as off. */
export const isClockOff = ({ clockOffSinceUtcMs }: LiveAccount): boolean =>
  !Number.isNaN(clockOffSinceUtcMs);

const changeOf = (
  { id: accountId, clockOffsetMs: offsetMs }: LiveAccount,
  timeMs: BrokerTimeMs,
) => ({
  ...{ accountId, timeMs, offsetMs },
});
