import { type CaseStatement, MAX_CASE_DEALS } from '../../contract/operations/cases.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import {
  isMeasured,
  isOfTracker,
  isRevision,
  isRuleWarning,
  isTransition,
  type Revision,
  type TrackerEvent,
} from '../../domain/live/live-records.ts';
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
import { findEvent, type StoredEvent } from '../../storage/event-feed-store.ts';
import { findProgram } from '../../storage/program-store.ts';
import type { UnsealedEvent } from '../../storage/seal-store.ts';
import { findTracker } from '../../storage/tracker-store.ts';
import { decisionOf } from './decision.ts';
import { statedDeal } from './stated-deal.ts';

type Rule = Pick<CaseStatement, 'tracker' | 'enrolment' | 'decision'>;

/** The statement of an event: everything it depends on, as known at the sealing. */
export async function makeStatement(
  sql: Sql,
  account: Account,
  stored: UnsealedEvent,
  { place, sealedAtMs }: { place: number; sealedAtMs: number },
): Promise<CaseStatement> {
  const { event, moneyDigits: digits, sequenceNumber, before } = stored;
  return {
    ...{ format: 1, place, sealedAt: new Date(sealedAtMs).toISOString() },
    ...{ accountId: account.id, login: account.login, broker: account.broker },
    ...{ currency: account.currency, brokerClock: account.brokerClock, sequenceNumber },
    event: presentEvent(stored),
    ...(await ruleOf(sql, account, stored)),
    ...(isMeasured(event) ? await measurementsOf(sql, { ...stored, event }) : {}),
    snapshots: presentSnapshots(before, digits),
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
  if (isTransition(event) || isRuleWarning(event)) {
    const own = enrolments.find(({ definition }) => definition.id === event.enrolmentId);
    if (!own) return {};
    const enrolment = await enrolmentOf(sql, account, own);
    if (isRuleWarning(event)) return { enrolment };
    return {
      enrolment,
      decision: await decisionOf(sql, account, { ...place, event }, own),
    };
  }
  if (!isMeasured(event)) return {};
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

type Measurement = NonNullable<CaseStatement['measured']>;

/** The measurement of the event; for a revision also that of the revised event. */
async function measurementsOf(
  sql: Sql,
  { event, revises, moneyDigits: digits }: StoredEvent<TrackerEvent | Revision>,
): Promise<Pick<CaseStatement, 'measured' | 'revised'>> {
  if (!isRevision(event)) return { measured: measuredOf(event, event, digits) };
  const revised = revises === undefined ? undefined : (await findEvent(sql, revises))?.event;
  const told = revised && isOfTracker(revised) ? revised : undefined;
  return {
    measured: measuredOf(event, told, digits),
    ...(told ? { revised: measuredOf(told, told, digits) } : {}),
  };
}

/** @param told the event itself, or the one that a revision revises, if it still exists */
function measuredOf(
  event: TrackerEvent | Revision,
  told: TrackerEvent | undefined,
  digits: number,
): Measurement {
  const money = (units: number): number => fromUnits(units, digits);
  return {
    initialBalance: money(event.initialBalance),
    baseline: money(event.baseline),
    allowed: money(event.allowed),
    inclusive: event.inclusive,
    adjustment: money(event.adjustment),
    balance: money(event.balance),
    equity: money(event.equity),
    equation: equationOf(event, told, money),
  };
}

/** The calculation from the equity to the limit that was exceeded, is near, or is neither. */
function equationOf(
  event: TrackerEvent | Revision,
  told: TrackerEvent | undefined,
  money: (units: number) => number,
): string {
  const { baseline, equity, adjustment, inclusive } = event;
  const isHeld = isRevision(event) && !event.stillExceeded;
  const isLoss = told?.exceededThresholdType !== 'profit';
  const warnAt = told?.warnAt;
  const adjusted = equity - adjustment;
  const [more, less] = isLoss ? [baseline, adjusted] : [adjusted, baseline];
  const amount = isLoss ? event.absoluteDrawdown : event.absoluteProfit;
  const [exceeds, holds] = inclusive ? ['≥', '<'] : ['>', '≤'];
  const compared = isHeld ? holds : exceeds;
  const sign = warnAt === undefined ? compared : `${isHeld ? '<' : '≥'} ${warnAt} ×`;
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
  return deals.filter((deal) => deal.timeMs <= timeMs).map((deal) => statedDeal(deal, digits));
}
