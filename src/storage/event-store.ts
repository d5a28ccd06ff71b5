import {
  isBreach,
  isFeedChange,
  isOfTracker,
  isRevision,
  isRuleWarning,
  isTransition,
  kindOf,
  type LiveEvent,
  type Revision,
} from '../domain/live/live-records.ts';
import { passingId, ruleTrackerId } from '../domain/programs/phase-trackers.ts';
import type { RuleWarning } from '../domain/programs/rule-warning.ts';
import { isClaimed } from './claim-store.ts';
import type { Database, Row, SqlValue, Transaction } from './database.ts';
import { numberWhatWaits } from './event-number-store.ts';
import { PartitionLost } from './partition-store.ts';
import { startsThose } from './tracker-action-store.ts';

/** An event found by the fold, with its place in the journal. */
export type FoundEvent = {
  accountNumber: number;
  event: LiveEvent;
  /** Those of the account's currency. */
  moneyDigits: number;
  position: number;
  /** Counts the events of an entry. */
  ordinal: number;
  /** Snapshots up to the breach, as bytes. */
  beforeBreach: Uint8Array;
  /** The period had ended when the event was found: it is the past of a new tracker. */
  isOver: boolean;
  /** UTC: when the period of a breach ends; absent if it has no end. */
  periodEndMs?: number | undefined;
};

/** When events that need no attention are acknowledged. */
const NEEDS_NOBODY = 0;
/** Columns of an event when it is stored. */
const FOUND_COLUMNS = 18;

/** Events found by the owner of a partition, with its epoch. */
export type OwnEvents = { partition: number; epoch: number; events: readonly FoundEvent[] };

export type StoredTogether<T extends OwnEvents> = {
  /** The last number; undefined if events still wait for theirs: see numberEvents. */
  lastNumber: number | undefined;
  /**
   * Partitions of whom nothing was stored: another process has them, or they must be stored alone.
   */
  left: T[];
};

/**
 * Stores events of one partition: see storeTogether. Returns the last number; undefined if events
 * still wait for theirs. Throws PartitionLost.
 */
export async function storeEvents(
  database: Database,
  partition: number,
  epoch: number,
  events: readonly FoundEvent[],
  nowMs: number,
): Promise<number | undefined> {
  const owner = { partition, epoch, events };
  const { lastNumber, left } = await storeTogether(database, [owner], nowMs, { alone: true });
  if (left.length > 0) throw new PartitionLost(partition);
  return lastNumber;
}

/**
 * Stores events of several partitions, each only if the epoch still owns it, and numbers them in
 * the feed if no other process is numbering: without gaps, each once, in the order of the journal.
 * An event found again by folding the journal again stays unchanged. Events of deleted accounts are
 * left out. On PostgreSQL, a partition that is just being taken over, or an event that is refused,
 * leaves out all events of its owner, so that the others are not held up; an owner that is `alone`
 * waits instead, and the refusal is thrown.
 */
export async function storeTogether<T extends OwnEvents>(
  database: Database,
  owners: readonly T[],
  nowMs: number,
  { alone = false } = {},
): Promise<StoredTogether<T>> {
  return database.kind === 'sqlite'
    ? database.transaction((tx) => storeInTurn(tx, owners, nowMs))
    : storeByFunction(database, owners, nowMs, alone);
}

/** In the order of the journal, like store_events. */
async function storeInTurn<T extends OwnEvents>(
  tx: Transaction,
  owners: readonly T[],
  nowMs: number,
): Promise<StoredTogether<T>> {
  const left: T[] = [];
  const events: { partition: number; found: FoundEvent }[] = [];
  for (const own of owners) {
    const { partition, epoch } = own;
    if (!(await isClaimed(tx, epoch))) left.push(own);
    else for (const found of own.events) events.push({ partition, found });
  }
  events.sort(
    (a, b) =>
      a.found.position - b.found.position ||
      a.partition - b.partition ||
      a.found.ordinal - b.found.ordinal,
  );
  for (const { partition, found } of events) await insertEvent(tx, partition, found, nowMs);
  const isNothing = left.length === owners.length;
  return { lastNumber: isNothing ? undefined : await numberWhatWaits(tx), left };
}

/** One statement calls store_events of PostgreSQL: no round trips while locks are held. */
async function storeByFunction<T extends OwnEvents>(
  database: Database,
  owners: readonly T[],
  nowMs: number,
  alone: boolean,
): Promise<StoredTogether<T>> {
  const rows = owners.flatMap(({ events }, index) =>
    events.map((found) => [index + 1, ...valuesOf(found)]),
  );
  const columns = Array.from({ length: 1 + FOUND_COLUMNS }, (_, column) =>
    rows.map((values) => values[column] ?? null),
  );
  const row = await database.get<{ stored: number[]; last_number: number | null } & Row>(
    `select stored::int[], last_number from store_events($1, $2, $3, $4::bigint[], $5::bigint[],
       $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
       $12::text[], $13::bigint[], $14::text[], $15::bytea[], $16::bigint[], $17::bigint[],
       $18::text[], $19::bigint[], $20::bigint[], $21::text[], $22::bigint[], $23)`,
    [
      alone ? 1 : 0,
      owners.map(({ partition }) => partition),
      owners.map(({ epoch }) => epoch),
      ...columns,
      nowMs,
    ],
  );
  const stored = new Set(row?.stored);
  return {
    lastNumber: row?.last_number ?? undefined,
    left: owners.filter((_, index) => !stored.has(index + 1)),
  };
}

const valuesOf = (found: FoundEvent): SqlValue[] => [
  ...eventValues(found),
  actingId(found) ?? null,
  found.periodEndMs ?? null,
];

const eventValues = (found: FoundEvent): SqlValue[] => [
  found.accountNumber,
  ...subjectOf(found.event),
  found.position,
  found.ordinal,
  found.event.timeMs,
  kindOf(found.event),
  found.moneyDigits,
  JSON.stringify(found.event),
  found.beforeBreach,
  found.isOver || !isBreach(found.event) ? NEEDS_NOBODY : null,
  isBreach(found.event) ? 1 : 0,
  ...revisedBy(found.event),
];

/** The revised event, and whether it holds: its kind, round and 0 or 1. */
const revisedBy = (event: LiveEvent): [string, number, number] | [null, null, null] =>
  isRevision(event)
    ? [event.revises.kind, event.revises.round, event.stillExceeded ? 1 : 0]
    : [null, null, null];

/** The subject of an event, and the numbers that distinguish its events of one kind. */
export type EventSubject = readonly [id: string, startTimeMs: number, round: number];

export function subjectOf(event: LiveEvent): EventSubject {
  if (isTransition(event)) return [event.enrolmentId, event.count, 0];
  if (isFeedChange(event)) return ['feed', event.sinceUtcMs, 0];
  if (isRuleWarning(event)) return [warnedId(event), event.startTimeMs, 0];
  return [event.trackerId, event.startTimeMs, event.round];
}

const warnedId = ({ enrolmentId, near }: RuleWarning): string =>
  ruleTrackerId(enrolmentId, near.ruleIndex);

/**
 * The owner of the actions that an event starts, those of its moment: the tracker whose limit was
 * broken or is near, or whose breach later facts removed; the rule by which time ended an
 * enrolment; or the phase that is passed. The actions of a loss rule are started by its tracker's
 * event.
 */
function actingId({ event, isOver }: FoundEvent): string | undefined {
  if (isTransition(event)) {
    const { to, breach, ruleIndex, enrolmentId } = event;
    if (to === 'passed') return passingId(enrolmentId);
    if (to !== 'failed' || breach || ruleIndex === undefined) return undefined;
    return ruleTrackerId(enrolmentId, ruleIndex);
  }
  if (isRevision(event)) {
    const { revises, stillExceeded, trackerId } = event;
    return revises.kind === 'drawdown' && !stillExceeded ? trackerId : undefined;
  }
  if (isRuleWarning(event)) return warnedId(event);
  if (!isOfTracker(event) || event.exceededThresholdType !== 'drawdown' || isOver) return undefined;
  return event.trackerId;
}

async function insertEvent(
  tx: Transaction,
  partition: number,
  found: FoundEvent,
  nowMs: number,
): Promise<void> {
  const stored = await tx.run(
    `insert into tracker_event (account_number, tracker_id, start_time_ms, round, user_id, position,
       partition_id, ordinal, time_ms, kind, money_digits, record, before_breach,
       acknowledged_at_ms, watched, revised_kind, revised_round, still_exceeded, after_breach)
     select number, $2, $3, $4, user_id, $5, $17, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, x''
     from account where number = $1
     on conflict (account_number, tracker_id, kind, start_time_ms, round) do nothing`,
    [...eventValues(found), partition],
  );
  if (stored === 0) return;
  const acting = actingId(found);
  if (acting !== undefined) await insertActions(tx, found, acting, nowMs);
  if (isRevision(found.event)) await reopenRevised(tx, found.accountNumber, found.event);
}

/** Opens the incident of a revised breach again, as store_events of PostgreSQL does. */
async function reopenRevised(
  tx: Transaction,
  accountNumber: number,
  { trackerId, startTimeMs, revises: { kind, round } }: Revision,
): Promise<void> {
  if (kind === 'warning') return;
  await tx.run(
    `update tracker_event set acknowledged_at_ms = null
     where account_number = $1 and tracker_id = $2 and start_time_ms = $3 and kind = $4
       and round = $5`,
    [accountNumber, trackerId, startTimeMs, kind, round],
  );
}

/** Stores the actions that an event starts, as store_events of PostgreSQL does. */
async function insertActions(
  tx: Transaction,
  { accountNumber, event, periodEndMs }: FoundEvent,
  acting: string,
  nowMs: number,
): Promise<void> {
  const [subjectId, startTimeMs, round] = subjectOf(event);
  await tx.run(
    `insert into breach_action (account_number, tracker_id, subject_id, start_time_ms, round, place,
       user_id, time_ms, action, group_name, is_dry_run, moment, confirm, state, attempts,
       due_at_ms, period_end_ms, is_found, created_at_ms)
     select wanted.account_number, wanted.tracker_id, $5, $3, $7, wanted.place, account.user_id, $4,
       wanted.action, wanted.group_name, wanted.is_dry_run, wanted.moment,
       wanted.confirm, 'waiting', 0, 0, $9, 0, $6
     from tracker_action wanted join account on account.number = wanted.account_number
     where wanted.account_number = $1 and wanted.tracker_id = $2
       and ${startsThose('$8', 'wanted.moment')}
     order by wanted.place
     on conflict (account_number, tracker_id, start_time_ms, round, place) do nothing`,
    [
      accountNumber,
      acting,
      startTimeMs,
      event.timeMs,
      subjectId,
      nowMs,
      round,
      kindOf(event),
      periodEndMs ?? null,
    ],
  );
}
