import type {
  EnrolmentDetailsRecord,
  EnrolmentRecord,
  RuleViolationRecord,
} from '../../contract/operations/enrolments.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { fromUnits } from '../../domain/money.ts';
import { equationOf } from '../../domain/programs/deal-limits.ts';
import type {
  EnrolmentProgress,
  ObjectiveProgress,
  RuleProgress,
} from '../../domain/programs/enrolment-records.ts';
import type { EnrolmentFigures } from '../../domain/programs/enrolment-transition.ts';
import type { Violation } from '../../domain/programs/judge-deals.ts';
import type { PayoutStanding } from '../../domain/programs/phase-payout.ts';
import type { Rule } from '../../domain/programs/program-definition.ts';
import type { StoredEnrolment } from '../../storage/enrolment-store.ts';
import type { StoredTransition } from '../../storage/transition-store.ts';
import { type Changed, enrolmentStateOf, isOver } from './enrolment-states.ts';

export function presentEnrolment(
  { definition, programId, version, phase, createdAtMs }: StoredEnrolment,
  changes: readonly Changed[],
  digits: number,
  progress?: EnrolmentProgress,
): EnrolmentRecord {
  const last = changes.at(-1)?.transition;
  const stored = enrolmentStateOf(changes);
  const startTimeMs = progress?.startTimeMs ?? last?.beganTimeMs ?? definition.startTimeMs;
  return {
    ...{ id: definition.id, programId, version, phase, phaseName: definition.phase.name },
    state: isOver(stored) ? stored : (progress?.state ?? stored),
    isDisputed: progress?.isDisputed ?? false,
    initialBalance: fromUnits(definition.initialBalance, digits),
    createdAt: new Date(createdAtMs).toISOString(),
    ...(startTimeMs === undefined ? {} : { startBrokerTime: formatBrokerTime(startTimeMs) }),
    ...(last && isOver(last.to) ? { endBrokerTime: formatBrokerTime(last.timeMs) } : {}),
    ...(last?.rule === undefined ? {} : { rule: last.rule }),
  };
}

type Figures = NonNullable<EnrolmentDetailsRecord['figures']>;

export function presentFigures(figures: EnrolmentFigures, digits: number): Figures {
  const { balance, equity, profit, equityProfit, paidOut } = figures;
  const { tradingDays, profitableDays, payouts } = figures;
  const amounts = { balance, equity, profit, equityProfit, paidOut };
  const known = Object.entries(amounts).flatMap(([name, amount]) =>
    amount === undefined ? [] : [[name, fromUnits(amount, digits)] as const],
  );
  return {
    ...Object.fromEntries(known),
    dealsProfit: fromUnits(figures.total, digits),
    winningDays: fromUnits(figures.winning, digits),
    bestDay: fromUnits(figures.best, digits),
    today: fromUnits(figures.today, digits),
    ...{ tradingDays, profitableDays },
    ...(payouts === undefined ? {} : { payouts }),
  };
}

export function presentRule(
  { kind, room, endUtcMs, breaches, failsAt, seenBy }: RuleProgress,
  digits: number,
): EnrolmentDetailsRecord['rules'][number] {
  const ends = endUtcMs ?? room?.resetUtcMs;
  return {
    kind,
    ...(room === undefined ? {} : { trackerId: room.trackerId }),
    ...(room?.floor === undefined ? {} : { floor: fromUnits(room.floor, digits) }),
    ...(room?.toFloor === undefined ? {} : { room: fromUnits(room.toFloor, digits) }),
    ...(room?.used === undefined ? {} : { used: room.used }),
    ...(ends === undefined ? {} : { ends: new Date(ends).toISOString() }),
    ...(breaches === undefined ? {} : { breaches }),
    ...(failsAt === undefined ? {} : { failsAt }),
    ...(seenBy === undefined ? {} : { seenBy }),
  };
}

/** @param rules of the phase */
export const presentViolation = (
  violation: Violation,
  rules: readonly Rule[],
  digits: number,
): RuleViolationRecord => ({
  kind: rules[violation.ruleIndex]?.kind ?? 'allowedSymbols',
  brokerTime: formatBrokerTime(violation.timeMs),
  dealIds: [...violation.dealIds],
  equation: equationOf(violation, digits),
});

/** What broke rules over deals; empty for a phase without them. */
export const presentViolations = (
  violations: readonly Violation[] | undefined,
  rules: readonly Rule[],
  digits: number,
): Pick<EnrolmentDetailsRecord, 'violations'> =>
  violations ? { violations: violations.map((one) => presentViolation(one, rules, digits)) } : {};

/** The part of an answer that tells about payouts; empty for a phase without them. */
export function presentPayout(
  standing: PayoutStanding | undefined,
  digits: number,
): Pick<EnrolmentDetailsRecord, 'payout'> {
  if (!standing) return {};
  const { amount, traderAmount, hindrances, fromUtcMs } = standing;
  const payout = {
    amount: fromUnits(amount, digits),
    traderAmount: fromUnits(traderAmount, digits),
    hindrances,
    ...(fromUtcMs === undefined ? {} : { availableFrom: new Date(fromUtcMs).toISOString() }),
  };
  return { payout };
}

const IN_DAYS: readonly ObjectiveProgress['kind'][] = ['tradingDays', 'profitableDays'];

export function presentObjective(
  { kind, isMet, value, needed }: ObjectiveProgress,
  digits: number,
): EnrolmentDetailsRecord['objectives'][number] {
  const shown = (amount: number): number =>
    IN_DAYS.includes(kind) ? amount : fromUnits(amount, digits);
  return {
    ...{ kind, met: isMet, needed: shown(Math.max(0, needed)) },
    ...(value === undefined ? {} : { value: shown(value) }),
  };
}

export const presentTransition = ({
  sequenceNumber,
  cause,
  transition: { to, timeMs, rule },
}: StoredTransition): EnrolmentDetailsRecord['transitions'][number] => ({
  state: to,
  brokerTime: formatBrokerTime(timeMs),
  ...(sequenceNumber === undefined ? {} : { sequenceNumber }),
  ...(rule === undefined ? {} : { rule }),
  ...(cause === undefined ? {} : { cause }),
});
