import { type BrokerTimeMs, HOUR_MS, startOfHour } from '../domain/broker-time.ts';
import { joinMinute } from '../domain/live/fold-minute.ts';
import type { EquityMinute } from '../domain/live/live-records.ts';
import { decodeMinutes, encodeMinutes } from '../domain/live/minutes-codec.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { countFacts } from './holding-store.ts';
import { forChange, inSlices, pairs, tuples } from './sql-text.ts';

/** A minute of an account, or a part of it. */
export type StoredMinute = { accountNumber: number; minute: EquityMinute };

type Hour = {
  accountNumber: number;
  startTimeMs: BrokerTimeMs;
  /** By their starts. */
  minutes: Map<BrokerTimeMs, EquityMinute>;
};

type HourRow = Row & { account_number: number; start_time_ms: number; minutes: Uint8Array };

/** Joins minutes with those that are stored: writing the same again changes nothing. */
export async function writeMinutes(
  tx: Transaction,
  minutes: readonly StoredMinute[],
): Promise<void> {
  const hours = new Map<string, Hour>();
  for (const { accountNumber, minute } of minutes) {
    const startTimeMs = startOfHour(minute.lastTimeMs);
    const key = `${accountNumber} ${startTimeMs}`;
    const hour = hours.get(key) ?? { accountNumber, startTimeMs, minutes: new Map() };
    joinMinute(hour.minutes, minute);
    hours.set(key, hour);
  }
  const fresh = new Map<number, number>();
  await inSlices([...hours.values()], async (slice) => {
    const rows = await tx.all<HourRow>(
      `select account_number, start_time_ms, minutes from equity_minutes
       where (account_number, start_time_ms) in (${pairs(slice.length)}) ${forChange(tx.kind)}`,
      slice.flatMap(({ accountNumber, startTimeMs }) => [accountNumber, startTimeMs]),
    );
    const stored = new Map(
      rows.map((row) => [`${row.account_number} ${row.start_time_ms}`, row.minutes]),
    );
    for (const { accountNumber, startTimeMs, minutes: own } of slice) {
      const known = stored.get(`${accountNumber} ${startTimeMs}`);
      if (!known) fresh.set(accountNumber, (fresh.get(accountNumber) ?? 0) + 1);
      else for (const minute of decodeMinutes(startTimeMs, known)) joinMinute(own, minute);
    }
    await tx.run(
      `insert into equity_minutes (account_number, start_time_ms, minutes)
       values ${tuples(slice.length, 3)}
       on conflict (account_number, start_time_ms) do update set minutes = excluded.minutes`,
      slice.flatMap(({ accountNumber, startTimeMs, minutes: own }) => [
        accountNumber,
        startTimeMs,
        encodeMinutes(startTimeMs, inOrder(own.values())),
      ]),
    );
  });
  await countFacts(tx, 'minutes', fresh);
}

const inOrder = (minutes: Iterable<EquityMinute>): EquityMinute[] =>
  [...minutes].sort((a, b) => a.lastTimeMs - b.lastTimeMs);

/** The stored minutes of the hours that overlap [start, end), in order. */
export async function readMinutes(
  sql: Sql,
  accountNumber: number,
  startMs: BrokerTimeMs,
  endMs: BrokerTimeMs,
): Promise<EquityMinute[]> {
  const rows = await sql.all<HourRow>(
    `select account_number, start_time_ms, minutes from equity_minutes
     where account_number = $1 and start_time_ms > $2 and start_time_ms < $3
     order by start_time_ms`,
    [accountNumber, startMs - HOUR_MS, endMs],
  );
  return rows.flatMap(({ start_time_ms: hourMs, minutes }) => decodeMinutes(hourMs, minutes));
}
