import { type BrokerTimeMs, HOUR_MS, MINUTE_MS, startOfMinute } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { Reading } from './deal-placement.ts';
import type { FoldEffects } from './fold-effects.ts';
import type { LiveAccount } from './live-account.ts';
import type { EquityMinute } from './live-records.ts';

/*
 * Minutes are sets of snapshots and nothing else: least, greatest and last values. Nothing holds
 * into them from before, and they have no averages, which would need all snapshots in their order.
 * So parts of a minute can be joined in any order and any number of times: whether snapshots come
 * late, or are folded again after a process died, the outcome is the same.
 *
 * The live account has only the least and greatest values of the running minute, which is that of
 * its newest snapshot.
 */

/** For how long minutes are shown, by the account's clock. */
export const MINUTES_SHOWN_MS = 48 * HOUR_MS;
/** Older snapshots, at their receipt, make no minutes. Clocks of brokers may be set by an hour. */
const MINUTES_TAKEN_MS = MINUTES_SHOWN_MS + 2 * HOUR_MS;

/** Folds a snapshot not older than the account's last; `account` still holds that last one. */
export function foldMinute(
  account: LiveAccount,
  timeMs: BrokerTimeMs,
  utcMs: number,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  const { lastTimeMs } = account;
  const isLater =
    timeMs > lastTimeMs ||
    isAfter(timeMs, balance, equity, lastTimeMs, account.balance, account.equity);
  if (isLater && timeMs < startOfMinute(lastTimeMs) + MINUTE_MS) {
    widen(account, balance, equity);
    return;
  }
  // Another minute; or the wall clock stepped back, or a snapshot of this moment stays the last.
  const minute = runningMinute(account);
  if (minute) effects.minutes.push(minute);
  account.minuteMinBalance = isTaken(account, utcMs) ? balance : Number.NaN;
  account.minuteMaxBalance = balance;
  account.minuteMinEquity = equity;
  account.minuteMaxEquity = equity;
}

/** Folds a snapshot older than the account's last. */
export function foldLateMinute(
  account: LiveAccount,
  { timeMs, utcMs, balance, equity }: Reading,
  effects: FoldEffects,
): void {
  const { lastTimeMs } = account;
  if (timeMs < lastTimeMs && timeMs >= startOfMinute(lastTimeMs)) widen(account, balance, equity);
  else if (isTaken(account, utcMs)) {
    effects.minutes.push({
      ...{ lastTimeMs: timeMs, lastBalance: balance, lastEquity: equity },
      ...{ minBalance: balance, maxBalance: balance, minEquity: equity, maxEquity: equity },
    });
  }
}

/** The minute of the newest snapshot, without parts that were put aside; undefined if too old. */
export function runningMinute(account: LiveAccount): EquityMinute | undefined {
  // Without spreads, which take most of a microsecond: all accounts close a minute at once.
  if (Number.isNaN(account.minuteMinBalance)) return undefined;
  return {
    lastTimeMs: account.lastTimeMs,
    lastBalance: account.balance,
    lastEquity: account.equity,
    minBalance: account.minuteMinBalance,
    maxBalance: account.minuteMaxBalance,
    minEquity: account.minuteMinEquity,
    maxEquity: account.minuteMaxEquity,
  };
}

/** Adds a minute, or a part of it, to minutes by their starts. */
export function joinMinute(minutes: Map<BrokerTimeMs, EquityMinute>, minute: EquityMinute): void {
  const startMs = startOfMinute(minute.lastTimeMs);
  const other = minutes.get(startMs);
  minutes.set(startMs, other ? joined(other, minute) : minute);
}

function joined(a: EquityMinute, b: EquityMinute): EquityMinute {
  const isLast = isAfter(
    ...([a.lastTimeMs, a.lastBalance, a.lastEquity] as const),
    ...([b.lastTimeMs, b.lastBalance, b.lastEquity] as const),
  );
  const { lastTimeMs, lastBalance, lastEquity } = isLast ? a : b;
  return {
    ...{ lastTimeMs, lastBalance, lastEquity },
    minBalance: Math.min(a.minBalance, b.minBalance),
    maxBalance: Math.max(a.maxBalance, b.maxBalance),
    minEquity: Math.min(a.minEquity, b.minEquity),
    maxEquity: Math.max(a.maxEquity, b.maxEquity),
  };
}

/**
 * Whether a snapshot is after another. Of several of one moment nobody knows which was the last:
 * the one with the least equity counts as that.
 */
function isAfter(
  timeMs: BrokerTimeMs,
  balance: Money,
  equity: Money,
  otherTimeMs: BrokerTimeMs,
  otherBalance: Money,
  otherEquity: Money,
): boolean {
  if (timeMs !== otherTimeMs) return timeMs > otherTimeMs;
  return equity !== otherEquity ? equity < otherEquity : balance < otherBalance;
}

const isTaken = ({ receivedUtcMs }: LiveAccount, utcMs: number): boolean =>
  utcMs >= receivedUtcMs - MINUTES_TAKEN_MS;

function widen(account: LiveAccount, balance: Money, equity: Money): void {
  // The last balance is within the minute's.
  if (balance !== account.balance) {
    if (balance < account.minuteMinBalance) account.minuteMinBalance = balance;
    if (balance > account.minuteMaxBalance) account.minuteMaxBalance = balance;
  }
  if (equity < account.minuteMinEquity) account.minuteMinEquity = equity;
  if (equity > account.minuteMaxEquity) account.minuteMaxEquity = equity;
}
