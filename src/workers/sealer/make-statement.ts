import { type CaseStatement, MAX_CASE_DEALS } from '../../contract/operations/cases.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import { digestOf } from '../../domain/evidence/seal-chain.ts';
import { isOfTracker, isTransition, type TrackerEvent } from '../../domain/live/live-records.ts';
import type { TrackerDefinition } from '../../domain/live/tracker-definition.ts';
import { fromUnits } from '../../domain/money.ts';
import { trackersOf } from '../../domain/programs/phase-trackers.ts';
import { presentEvent } from '../../feeds/present-event.ts';
import { presentSnapshots } from '../../services/tracker-events/read-events.ts';
import { presentTracker } from '../../services/trackers/present-tracker.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { listDeals } from '../../storage/deal-store.ts';
import { listEnrolments, type StoredEnrolment } from '../../storage/enrolment-store.ts';
import { findProgram } from '../../storage/program-store.ts';
import type { UnsealedEvent } from '../../storage/seal-store.ts';
import { findTracker } from '../../storage/tracker-store.ts';
import { decisionOf } from './decision.ts';
import { presentDeal } from './stated-deal.ts';

type Rule = Pick<CaseStatement, 'tracker' | 'enrolment' | 'decision'>;

/** The statement of an event: everything that it depends on, as known when it is sealed. */
export async function makeStatement(
  sql: Sql,
  account: Account,
  stored: UnsealedEvent,
  { place, sealedAtMs }: { place: number; sealedAtMs: number },
): Promise<CaseStatement> {
  const { event, moneyDigits: digits, sequenceNumber, before } = stored;
  const snapshots = presentSnapshots(before, digits);
  return {
    ...{ format: 1, place, sealedAt: new Date(sealedAtMs).toISOString() },
    ...{ accountId: account.id, login: account.login, broker: account.broker },
    ...{ currency: account.currency, brokerClock: account.brokerClock, sequenceNumber },
    event: presentEvent(stored),
    ...(await ruleOf(sql, account, stored)),
    ...(isOfTracker(event) ? { measured: measuredOf(event, digits) } : {}),
    snapshots: { count: snapshots.length, digest: digestOf(snapshots) },
    deals: await dealsBefore(sql, account.number, event.timeMs, digits),
  };
}

async function ruleOf(
  sql: Sql,
  account: Account,
  { event, ...place }: UnsealedEvent,
): Promise<Rule> {
  const digits = place.moneyDigits;
  const enrolments = await listEnrolments(sql, account.number);
  if (isTransition(event)) {
    const own = enrolments.find(({ definition }) => definition.id === event.enrolmentId);
    if (!own) return {};
    return {
      enrolment: await enrolmentOf(sql, account, own),
      decision: await decisionOf(sql, account, { ...place, event }, own),
    };
  }
  if (!isOfTracker(event)) return {};
  const { trackerId } = event;
  const tracker = await findTracker(sql, account.number, trackerId);
  if (tracker) return { tracker: presentTracker(tracker, digits) };
  for (const enrolment of enrolments) {
    const owned = ownedTracker(enrolment, trackerId);
    if (!owned) continue;
    return {
      tracker: presentTracker(owned, digits),
      enrolment: await enrolmentOf(sql, account, enrolment),
    };
  }
  return {};
}

const ownedTracker = (
  { definition }: StoredEnrolment,
  trackerId: string,
): TrackerDefinition | undefined =>
  trackersOf(definition).find(({ definition: { id } }) => id === trackerId)?.definition;

async function enrolmentOf(
  sql: Sql,
  { userId }: Account,
  { definition, programId, version, phase }: StoredEnrolment,
): Promise<NonNullable<Rule['enrolment']>> {
  type Rulebook = NonNullable<NonNullable<Rule['enrolment']>['rulebook']>;
  const program = await findProgram<Rulebook[]>(sql, userId, programId, version);
  const rulebook = program?.phases[phase - 1];
  return {
    ...{ enrolmentId: definition.id, programId, version, phase },
    ...(rulebook ? { rulebook } : {}),
  };
}

function measuredOf(event: TrackerEvent, digits: number): NonNullable<CaseStatement['measured']> {
  const money = (units: number): number => fromUnits(units, digits);
  return {
    initialBalance: money(event.initialBalance),
    baseline: money(event.baseline),
    allowed: money(event.allowed),
    inclusive: event.inclusive,
    adjustment: money(event.adjustment),
    balance: money(event.balance),
    equity: money(event.equity),
    equation: equationOf(event, money),
  };
}

/** The calculation from the equity to the limit that was exceeded, or is near. */
function equationOf(event: TrackerEvent, money: (units: number) => number): string {
  const { baseline, equity, adjustment, warnAt, inclusive } = event;
  const isLoss = event.exceededThresholdType === 'drawdown';
  const adjusted = equity - adjustment;
  const [more, less] = isLoss ? [baseline, adjusted] : [adjusted, baseline];
  const amount = isLoss ? event.absoluteDrawdown : event.absoluteProfit;
  const exceeds = inclusive ? '≥' : '>';
  const sign = warnAt === undefined ? exceeds : `≥ ${warnAt} ×`;
  const given = `${money(equity)} − ${money(adjustment)} = ${money(adjusted)}`;
  return `${given}; ${money(more)} − ${money(less)} = ${money(amount)} ${sign} ${money(event.allowed)}`;
}

/** The known deals of the 24 hours before the event. */
async function dealsBefore(
  sql: Sql,
  accountNumber: number,
  timeMs: number,
  digits: number,
): Promise<CaseStatement['deals']> {
  const after = { timeMs: timeMs - DAY_MS, id: '' };
  const deals = await listDeals(sql, accountNumber, after, MAX_CASE_DEALS);
  return deals.filter((deal) => deal.timeMs <= timeMs).map((deal) => presentDeal(deal, digits));
}
