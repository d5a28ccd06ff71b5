import type { PayoutHindrance } from '../../words/programs.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { partsOf, portionOf } from '../live/portion.ts';
import type { Money } from '../money.ts';
import { type LiveEnrolment, PAUSED } from './live-enrolment.ts';
import { meetsObjectives, type Profits, profitBy, profitsOf } from './phase-objectives.ts';
import { calendarOf, dayOf, startOfDayUtc } from './phase-time.ts';
import { isLossRule, type Payout } from './program-definition.ts';

/** What may be withdrawn from a funded account now, and why not. */
export type PayoutStanding = {
  /** What profit, buffer, share and cap leave, whatever hinders; 0 below the minimum. */
  amount: Money;
  /** The trader's part of it. */
  traderAmount: Money;
  /** None: the amount may be withdrawn. */
  hindrances: PayoutHindrance[];
  /** When enough days have passed; absent until the phase has begun. */
  fromUtcMs?: number | undefined;
};

/** As of the newest item; undefined for a phase without payouts. */
export function payoutStanding(
  account: LiveAccount,
  enrolment: LiveEnrolment,
): PayoutStanding | undefined {
  const { payout } = enrolment.terms;
  if (!payout) return undefined;
  const profits = profitsOf(account, enrolment);
  if (!enrolment.hasBegun || !profits) {
    return { amount: 0, traderAmount: 0, hindrances: ['waiting'] };
  }
  const { payouts, state, today } = enrolment;
  const fromDay = firstDayOf(account, enrolment, payout);
  const amount = amountOf(payout, profits, payouts);
  const holds: Record<Exclude<PayoutHindrance, 'waiting'>, boolean> = {
    paused: state === PAUSED,
    days: today < fromDay,
    objectives: !meetsObjectives(enrolment, profits),
    profit: amount === 0,
  };
  const traderAmount = portionOf(amount, partsOf(splitOf(enrolment, payout)));
  return {
    ...{ amount, traderAmount },
    hindrances: (Object.keys(holds) as (keyof typeof holds)[]).filter((name) => holds[name]),
    fromUtcMs: startOfDayUtc(calendarOf(account, enrolment), fromDay),
  };
}

/** The first day on which a payout is possible. */
function firstDayOf(account: LiveAccount, enrolment: LiveEnrolment, payout: Payout): number {
  const { days = 0, firstDays = days } = payout;
  const { lastPayoutDay, startUtcMs } = enrolment;
  if (!Number.isNaN(lastPayoutDay)) return lastPayoutDay + days;
  return dayOf(calendarOf(account, enrolment), startUtcMs) + firstDays;
}

/** The trader's part: breaches may have lowered it. */
function splitOf({ definition, limits }: LiveEnrolment, { split = 1 }: Payout): number {
  const lowered = limits.flatMap(({ tracker, ruleIndex }) => {
    const rule = definition.phase.rules[ruleIndex];
    return rule && isLossRule(rule) && tracker.breaches > 0 ? (rule.splitOnBreach ?? []) : [];
  });
  return Math.min(split, ...lowered);
}

/** Open losses count, open profits do not. */
function amountOf(payout: Payout, profits: Profits, payouts: number): Money {
  const { share = 1, buffer = 0, minimum = 1, caps = [] } = payout;
  const profit = Math.max(0, profitBy(profits, 'lowerOfBoth'));
  const cap = caps[Math.min(payouts, caps.length - 1)] ?? Number.POSITIVE_INFINITY;
  const amount = Math.min(portionOf(profit, partsOf(share)), profit - buffer, cap);
  return amount >= minimum ? amount : 0;
}
