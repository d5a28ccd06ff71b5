import type { CaseStatement } from '../../contract/operations/cases.ts';
import { DAY_MS, formatBrokerTime } from '../../domain/broker-time.ts';
import { equationOf } from '../../domain/programs/deal-limits.ts';
import { objectivesProgress } from '../../domain/programs/enrolment-records.ts';
import type { EnrolmentTransition } from '../../domain/programs/enrolment-transition.ts';
import {
  breachesUntilFailed,
  isDealRule,
  isLossRule,
  type Rule,
} from '../../domain/programs/program-definition.ts';
import {
  presentFigures,
  presentObjective,
  presentViolation,
} from '../../services/enrolments/present-enrolment.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { findDeals, findLastTrade } from '../../storage/deal-store.ts';
import type { StoredEnrolment } from '../../storage/enrolment-store.ts';
import type { StoredEvent } from '../../storage/event-feed-store.ts';
import { readNumberedTransitions } from '../../storage/transition-store.ts';
import { statedDeal, violationDeal } from './stated-deal.ts';

type Decision = NonNullable<CaseStatement['decision']>;

/** The cause of a change of an enrolment. */
export async function decisionOf(
  sql: Sql,
  account: Account,
  { event, moneyDigits: digits, sequenceNumber }: StoredEvent<EnrolmentTransition>,
  { definition }: StoredEnrolment,
): Promise<Decision> {
  const { by, beganTimeMs, figures, timeMs, violation } = event;
  const { rules } = definition.phase;
  const dealIds = violation?.dealIds ?? [];
  const deals = await findDeals(sql, account.number, dealIds);
  const changes = await readNumberedTransitions(sql, account.number);
  const { cause } = changes.find((one) => one.sequenceNumber === sequenceNumber) ?? {};
  const before = changes.find(
    ({ transition: { enrolmentId, count } }) =>
      enrolmentId === event.enrolmentId && count === event.count - 1,
  );
  const lastTrade = await findLastTrade(sql, account.number, timeMs);
  return {
    reason: reasonOf(event, before?.transition.to, rules, digits),
    ...(by === undefined ? {} : { by }),
    ...(cause === undefined ? {} : { cause }),
    ...(beganTimeMs === undefined ? {} : { startBrokerTime: formatBrokerTime(beganTimeMs) }),
    figures: presentFigures(figures, digits),
    objectives: objectivesProgress(definition, figures).map((one) => presentObjective(one, digits)),
    ...(lastTrade ? { lastTrade: statedDeal(lastTrade, digits) } : {}),
    ...(violation
      ? {
          violation: presentViolation(violation, rules, digits),
          violationDeals: deals.map((deal) => violationDeal(deal, digits)),
        }
      : {}),
  };
}

/** In words; for a rule of days with the counted days. */
function reasonOf(
  { to, rule, ruleIndex, count, countedFromDay, timeMs, violation }: EnrolmentTransition,
  before: EnrolmentTransition['to'] | undefined,
  rules: readonly Rule[],
  digits: number,
): string {
  if (to === 'passed') return 'All objectives were met at the same time.';
  if (to === 'running' && (before === 'failed' || before === 'passed')) {
    return `It was requested: later facts removed the ground on which it had ${before}.`;
  }
  if (rule === undefined) return 'It was requested.';
  const broken = rules[ruleIndex ?? -1];
  if (broken && isDealRule(broken) && violation) {
    const most = breachesUntilFailed(broken);
    const number = most > 1 ? ` It was breach number ${most}, which ends the phase.` : '';
    return `The rule ${rule} was broken: ${equationOf(violation, digits)}.${number}`;
  }
  if (!broken || !('days' in broken) || countedFromDay === undefined) {
    const most = broken && isLossRule(broken) ? breachesUntilFailed(broken) : 1;
    if (most > 1 && Number.isFinite(most)) {
      return `The limit of ${rule} was broken again, as the event of its tracker shows: it was breach number ${most}, which ends the phase.`;
    }
    return `The limit of ${rule} was broken, as the event of its tracker shows.`;
  }
  const from = formatBrokerTime(countedFromDay * DAY_MS).slice(0, 10);
  const end = `over at ${formatBrokerTime(timeMs)}`;
  if (broken.kind === 'inactivity') {
    return `${broken.days} whole days without a trade were ${end}: counted from the day after ${from}, which had one, began the phase or ended a pause.`;
  }
  const longer = count > 1 ? ', and the time of its pauses,' : '';
  return `The ${broken.days} days of the phase${longer} were ${end}: ${from} was the first of them.`;
}
