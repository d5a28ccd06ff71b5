import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { Database, Row, Transaction } from './database.ts';
import { changeHoursVersion } from './live-store.ts';
import { places, someRows } from './sql-text.ts';

/** Rows that one transaction removes: others wait for it no longer than some milliseconds. */
const ROWS_AT_ONCE = 500;

/** Kinds of an account's data that grow with time, each with the table and the time it goes by. */
export const AGING = {
  hours: { table: 'equity_bucket', time: 'start_time_ms', only: '' },
  periods: { table: 'period_statistics', time: 'start_time_ms', only: '' },
  /** Snapshots around breaches, of events that stay. */
  evidence: {
    table: 'tracker_event',
    time: 'time_ms',
    only: `and sequence_number is not null and watched = 0
       and length(before_breach) + length(after_breach) > 0`,
  },
  /** Without those that tell in which state an enrolment or a feed is. */
  events: {
    table: 'tracker_event',
    time: 'time_ms',
    only: "and sequence_number is not null and kind not in ('enrolment', 'silence')",
  },
  /** What breaches were answered with, once it is over. */
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

/** Those of some accounts that have data of a kind from before a time. */
export async function listAged(
  database: Database,
  kind: AgingKind,
  numbers: readonly number[],
  before: BrokerTimeMs,
): Promise<number[]> {
  if (numbers.length === 0) return [];
  const { table, time, only } = AGING[kind];
  const rows = await database.all<Row & { account_number: number }>(
    `select distinct account_number from ${table}
     where account_number in (${places(2, numbers.length)}) and ${time} < $1 ${only}`,
    [before, ...numbers],
  );
  return rows.map((row) => row.account_number);
}

/** Removes some of an account's data of a kind from before a time; false when that was the last. */
export function removeAged(
  database: Database,
  kind: AgingKind,
  accountNumber: number,
  before: BrokerTimeMs,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Whoever makes chart days of these hours waits for this row, or is seen by it.
    if (kind === 'hours') {
      await changeHoursVersion(tx, accountNumber);
      await removeSome(
        tx,
        'delete from chart_day',
        AGING.hours,
        'chart_day',
        accountNumber,
        before,
      );
    }
    const { table } = AGING[kind];
    const change =
      kind === 'evidence'
        ? `update tracker_event set before_breach = $3, after_breach = $3`
        : `delete from ${table}`;
    const empty = kind === 'evidence' ? [new Uint8Array()] : [];
    const rows = await removeSome(tx, change, AGING[kind], table, accountNumber, before, empty);
    return rows === ROWS_AT_ONCE;
  });
}

function removeSome(
  tx: Transaction,
  change: string,
  { time, only }: { time: string; only: string },
  table: string,
  accountNumber: number,
  before: BrokerTimeMs,
  values: readonly Uint8Array[] = [],
): Promise<number> {
  const some = `account_number = $1 and ${time} < $2 ${only} order by ${time} limit ${ROWS_AT_ONCE}`;
  return tx.run(`${change} where ${someRows(tx.kind, table, some)}`, [
    ...[accountNumber, before],
    ...values,
  ]);
}

/** Removes some of the oldest entries of the audit from before a time; false when that was the last. */
export async function removeAgedAudit(database: Database, beforeMs: number): Promise<boolean> {
  const oldest = await database.all<{ number: number; at_ms: number }>(
    'select number, at_ms from audit_entry order by number limit $1',
    [ROWS_AT_ONCE],
  );
  // A clock that was wrong for a while may have dated some later than those after them.
  const firstToStay = oldest.findIndex(({ at_ms }) => at_ms >= beforeMs);
  const leaving = firstToStay < 0 ? oldest : oldest.slice(0, firstToStay);
  const last = leaving.at(-1);
  if (!last) return false;
  await database.run('delete from audit_entry where number <= $1', [last.number]);
  return leaving.length === ROWS_AT_ONCE;
}
