import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { grow } from './growth.ts';
import { beginDay, bookOnDay, type GrowthDay, growthDayOf } from './growth-day.ts';
import type { MetricsState } from './metrics-state.ts';

type Course = { state: MetricsState; days: readonly GrowthDay[] };

/**
 * The course of an account as if its open positions had closed now: their money is one more result,
 * of today or, if that is later, of the last day. It adds no trades.
 */
export function withOpenResult({ state, days }: Course, money: Money, nowMs: BrokerTimeMs): Course {
  if (money === 0) return { state, days };
  const { highestBalance, highestBalanceTimeMs } = state.growth;
  const growth = { ...state.growth };
  const last = days.at(-1);
  const today = Math.max(growthDayOf(nowMs), last?.day ?? Number.NEGATIVE_INFINITY);
  const isGoingOn = last?.day === today;
  const day = isGoingOn && last ? { ...last } : beginDay(today, growth);
  const booking = { timeMs: nowMs, type: 'DEAL_TYPE_BUY', money } as const;
  bookOnDay(day, booking, grow(growth, booking), growth);
  Object.assign(growth, { highestBalance, highestBalanceTimeMs });
  return { state: { ...state, growth }, days: [...(isGoingOn ? days.slice(0, -1) : days), day] };
}
