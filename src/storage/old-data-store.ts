import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { FactKind } from '../words/holdings.ts';
import { ENTRY_BYTES } from './audit-store.ts';
import type { Database, Transaction } from './database.ts';
import { countFacts, giveBackHolding } from './holding-store.ts';
import { takeHours } from './live-store.ts';
import { forgetStatements } from './seal-store.ts';
import { ifFree, places, someRows } from './sql-text.ts';

/** Rows that one transaction removes, so that others wait for it some milliseconds at most. */
const ROWS_AT_ONCE = 500;

/** An account's kinds of data that grow with time, each with its table and column of time. */
export const AGING = {
  hours: { table: 'equity_bucket', time: 'start_time_ms', only: '' },
  minutes: { table: 'equity_minutes', time: 'start_time_ms', only: '' },
  periods: { table: 'period_statistics', time: 'start_time_ms', only: '' },
  /** Snapshots around breaches, of events that stay. */
  evidence: {
    table: 'tracker_event',
    time: 'time_ms',
    only: `and sequence_number is not null and watched = 0
       and length(before_breach) + length(after_breach) > 0`,
  },
  /** All except those that show the state of an enrolment or a feed. */
  events: {
    table: 'tracker_event',
    time: 'time_ms',
    only: "and sequence_number is not null and kind not in ('enrolment', 'silence')",
  },
  /** Actions that breaches started, once they have ended. */
  actions: { table: 'breach_action', time: 'time_ms', only: 'and ended_at_ms is not null' },
} as const;
export type AgingKind = keyof typeof AGING;

/** Numbers of accounts after a number, in order. */
export async function listNumbersAfter(
  database: Database,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await database.all<{ number: number }>(
    'select number from account where number > $1 order by number limit $2',
    [after, limit],
  );
  return rows.map((row) => row.number);
}

/** Those accounts that have data of a kind from before a time. */
export async function listAged(
  database: Database,
  kind: AgingKind,
  numbers: readonly number[],
  before: BrokerTimeMs,
): Promise<number[]> {
  if (numbers.length === 0) return [];
  const { table, time, only } = AGING[kind];
  // One index lookup each, however many rows there are.
  const rows = await database.all<{ number: number }>(
    `select number from account where number in (${places(2, numbers.length)}) and exists (
       select 1 from ${table} where account_number = account.number and ${time} < $1 ${only})`,
    [before, ...numbers],
  );
  return rows.map(({ number }) => number);
}

/**
 * Removes some of the accounts' data of a kind from before a time; false if that was the last. It
 * never waits: rows that others are changing are left to the next round.
 */
export function removeAged(
  database: Database,
  kind: AgingKind,
  numbers: readonly number[],
  before: BrokerTimeMs,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const aged = { kind, numbers, before };
    switch (kind) {
      case 'hours':
        return removeHours(tx, aged);
      case 'minutes':
        return removeFacts(tx, aged, 'minutes');
      case 'events':
        return removeEvents(tx, aged);
      case 'evidence':
        return isFull(
          await tx.run(
            `update tracker_event set before_breach = $1, after_breach = $1
           where ${someAged(tx, aged, 'tracker_event', 2)}`,
            [new Uint8Array(), before, ...numbers],
          ),
        );
      case 'periods':
      case 'actions':
        return isFull(await removeRows(tx, aged));
    }
  });
}

type Aged = { kind: AgingKind; numbers: readonly number[]; before: BrokerTimeMs };

const isFull = (rows: number): boolean => rows === ROWS_AT_ONCE;

async function removeHours(tx: Transaction, { numbers, ...aged }: Aged): Promise<boolean> {
  // A transaction that makes chart days of these hours waits for this one, or is seen by it.
  const taken = await takeHours(tx, numbers);
  if (taken.length === 0) return false;
  const own = { ...aged, numbers: taken };
  const days = await removeRows(tx, own, 'chart_day');
  // Hours go last: an account without any is not looked at again.
  return isFull(days) || removeFacts(tx, own, 'hour');
}

async function removeFacts(tx: Transaction, aged: Aged, fact: FactKind): Promise<boolean> {
  const { table } = AGING[aged.kind];
  const rows = await tx.all<{ account_number: number }>(
    `delete from ${table} where ${someAged(tx, aged, table, 1)} returning account_number`,
    [aged.before, ...aged.numbers],
  );
  const byAccount = Map.groupBy(rows, ({ account_number: number }) => number);
  await countFacts(
    tx,
    fact,
    Array.from(byAccount, ([number, gone]) => [number, -gone.length] as const),
  );
  return isFull(rows.length);
}

/** Removes the statements in the events' seals, too. */
async function removeEvents(tx: Transaction, aged: Aged): Promise<boolean> {
  const { numbers, before } = aged;
  const rows = await tx.all<{ sequence_number: number }>(
    `select sequence_number from tracker_event where ${someAged(tx, aged, 'tracker_event', 1)}`,
    [before, ...numbers],
  );
  const events = rows.map(({ sequence_number: number }) => number);
  if (events.length === 0) return false;
  await forgetStatements(tx, events);
  await tx.run(
    `delete from tracker_event where sequence_number in (${places(1, events.length)})`,
    events,
  );
  return isFull(events.length);
}

function removeRows(tx: Transaction, aged: Aged, table: string = AGING[aged.kind].table) {
  const sql = `delete from ${table} where ${someAged(tx, aged, table, 1)}`;
  return tx.run(sql, [aged.before, ...aged.numbers]);
}

/**
 * The condition for some rows; `place` is the parameter of the time, followed by the accounts'
 * numbers.
 */
function someAged({ kind: database }: Transaction, aged: Aged, table: string, place: number) {
  const { time, only } = AGING[aged.kind];
  const accounts = places(place + 1, aged.numbers.length);
  const some = `account_number in (${accounts}) and ${time} < $${place} ${only}`;
  return someRows(database, table, `${some} limit ${ROWS_AT_ONCE} ${ifFree(database)}`);
}

/** Removes some of the oldest audit entries from before a time; false if those were the last. */
export async function removeAgedAudit(database: Database, beforeMs: number): Promise<boolean> {
  const oldest = await database.all<{ number: number; at_ms: number }>(
    'select number, at_ms from audit_entry order by number limit $1',
    [ROWS_AT_ONCE],
  );
  // A clock that was wrong for a while may have dated some entries later than those after them.
  const firstToStay = oldest.findIndex(({ at_ms }) => at_ms >= beforeMs);
  const leaving = firstToStay < 0 ? oldest : oldest.slice(0, firstToStay);
  const last = leaving.at(-1);
  if (!last) return false;
  await database.transaction(async (tx) => {
    // Counted by what is deleted: another process may just have removed the same ones.
    const gone = await tx.all<{ user_id: string | null; length: number }>(
      'delete from audit_entry where number <= $1 returning user_id, length(details) as length',
      [last.number],
    );
    for (const [userId, entries] of Map.groupBy(gone, ({ user_id }) => user_id)) {
      if (userId === null) continue;
      const bytes = entries.reduce((sum, entry) => sum + ENTRY_BYTES + entry.length, 0);
      await giveBackHolding(tx, userId, 'audit', { items: entries.length, bytes });
    }
  });
  return leaving.length === ROWS_AT_ONCE;
}
