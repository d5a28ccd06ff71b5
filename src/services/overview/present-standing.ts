import type {
  AccountStandingRecord,
  LimitRoomRecord,
} from '../../contract/operations/account-standing.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { fromUnits, type Money, moneyDigits } from '../../domain/money.ts';
import type { UnexplainedMovements } from '../../engine/account-view.ts';
import type { Account } from '../../storage/account-store.ts';
import {
  hasMeasuredLimit,
  isUnwatched,
  type NamedLimit,
  type Standing,
  standingStateOf,
} from './standing.ts';

/** The record of a standing, but for what depends on the moment of asking or on other data. */
export function presentStanding(
  account: Account,
  standing: Standing,
  {
    trackers,
    unexplained,
    nowMs,
  }: { trackers: number; unexplained: UnexplainedMovements | undefined; nowMs: number },
): AccountStandingRecord {
  const digits = moneyDigits(account.currency);
  const money = (units: Money) => fromUnits(units, digits);
  const { lastTimeMs, balance, equity } = standing;
  const isMeasured = hasMeasuredLimit(standing);
  return {
    state: standingStateOf(account, standing, nowMs),
    unwatched: isUnwatched(account, standing, { trackers, isMeasured }),
    ...(lastTimeMs === undefined ? {} : { brokerTime: formatBrokerTime(lastTimeMs) }),
    clockOff: standing.isClockOff,
    ...(balance === undefined ? {} : { balance: money(balance) }),
    ...(equity === undefined ? {} : { equity: money(equity) }),
    ...(unexplained === undefined
      ? {}
      : { unexplainedMovements: presentUnexplained(unexplained, money) }),
    limits: standing.limits.map((limit) => presentLimit(limit, money)),
  };
}

const presentUnexplained = (
  { count, newest: { fromMs, toMs, money: moved } }: UnexplainedMovements,
  money: (units: Money) => number,
) => ({
  count,
  newest: {
    fromBrokerTime: formatBrokerTime(fromMs),
    toBrokerTime: formatBrokerTime(toMs),
    money: money(moved),
  },
});

function presentLimit(limit: NamedLimit, money: (units: Money) => number): LimitRoomRecord {
  const { floor, toFloor, target, toTarget, used, exceeded, endTimeMs } = limit;
  return {
    trackerId: limit.trackerId,
    name: limit.name,
    startBrokerTime: formatBrokerTime(limit.startTimeMs),
    ...(endTimeMs === undefined ? {} : { endBrokerTime: formatBrokerTime(endTimeMs) }),
    ...(floor === undefined ? {} : { floor: money(floor) }),
    ...(toFloor === undefined ? {} : { toFloor: money(toFloor) }),
    ...(used === undefined ? {} : { used }),
    ...(target === undefined ? {} : { target: money(target) }),
    ...(toTarget === undefined ? {} : { toTarget: money(toTarget) }),
    ...(exceeded === undefined ? {} : { exceeded }),
  };
}

/** How long until a period ends. */
export const untilReset = (resetUtcMs: number | undefined, nowMs: number) =>
  resetUtcMs === undefined ? {} : { secondsToReset: Math.max(0, (resetUtcMs - nowMs) / 1000) };
