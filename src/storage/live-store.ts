import type { BrokerClock } from '../domain/broker-time.ts';
import { NO_FIGURES, type StandingFigures } from '../domain/live/standing-figures.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { type Columns, clock, flag, optional, plain, RecordTable } from './record-table.ts';
import { allIn, ifFree, inSlices, places } from './sql-text.ts';

/** The stored live state of an account; without `state`, nothing was folded yet. */
export type StoredLiveAccount = StandingFigures & {
  accountNumber: number;
  /** It includes the journal's entries up to here, at or after its partition's position. */
  position: number;
  /** The moment of its newest snapshot, by its clock. */
  lastUtcMs: number | undefined;
  /** By time of receipt, when the first breach waiting for an explanation is due. */
  settleDueUtcMs: number | undefined;
  /** Counts the changes of its closed hours in the database. */
  hoursVersion: number;
  /** The clock that it is folded with; the account's own may have changed since. */
  clock: BrokerClock;
  state: Uint8Array | undefined;
  /** Its last snapshots, for evidence. */
  recent: Uint8Array | undefined;
  /** Why its entries wait instead of being folded, as JSON. */
  park: string | undefined;
};

const FIGURE_COLUMNS: Columns<StandingFigures> = {
  balance: optional('balance'),
  equity: optional('equity'),
  usedLimit: optional('used_limit'),
  exceeded: flag('exceeded'),
  trackers: plain('trackers'),
  freshUtcMs: optional('fresh_at_ms'),
  clockOffMs: optional('clock_off_ms'),
};

const LIVE = new RecordTable<StoredLiveAccount>('live_account', {
  accountNumber: plain('account_number'),
  position: plain('position'),
  lastUtcMs: optional('last_utc_ms'),
  settleDueUtcMs: optional('settle_due_at_ms'),
  hoursVersion: plain('hours_version'),
  ...FIGURE_COLUMNS,
  clock: clock('clock'),
  state: optional('state'),
  recent: optional('recent'),
  park: optional('park'),
});

/** The states of those accounts that have one. */
export const readLiveAccounts = (
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<StoredLiveAccount[]> =>
  LIVE.allIn(sql, accountNumbers, (list) => `where account_number in (${list})`);

/** All accounts with waiting breaches. */
export async function readSettling(
  sql: Sql,
): Promise<{ accountNumber: number; settleDueUtcMs: number }[]> {
  return sql.all<Row & { accountNumber: number; settleDueUtcMs: number }>(
    `select account_number as "accountNumber", settle_due_at_ms as "settleDueUtcMs"
     from live_account where settle_due_at_ms is not null`,
  );
}

const FIGURES = new RecordTable<StandingFigures>('live_account', FIGURE_COLUMNS);
export type StoredFigures = ReturnType<typeof FIGURES.read>;

/**
 * The figures, by account number, of those accounts whose stored state is at this position of the
 * journal or later.
 */
export async function readFigures(
  sql: Sql,
  accountNumbers: readonly number[],
  leastPosition: number,
): Promise<Map<number, StoredFigures>> {
  const rows = await allIn<Row & { account_number: number }>(
    sql,
    accountNumbers,
    (list) =>
      `select account_number, ${FIGURES.list} from live_account
       where position >= $1 and account_number in (${list})`,
    [leastPosition],
  );
  return new Map(rows.map((row) => [row.account_number, FIGURES.read(row)]));
}

/**
 * An account whose newest stored snapshot is so old that its feed may be silent; for one that is
 * read from a platform, with the last error.
 */
export type SilentAccount = {
  accountNumber: number;
  /** Before the first snapshot, when the account was created. */
  freshUtcMs: number;
  mayBeSilentMs: number;
  reason: string | null;
};

/**
 * Those not reported yet, including those whose snapshot came in later than now, which only shows
 * that a clock was wrong.
 */
export async function listSilent(
  sql: Sql,
  nowMs: number,
  { leastSeconds, readSeconds }: { leastSeconds: number; readSeconds: number },
  limit: number,
): Promise<SilentAccount[]> {
  const freshAtMs = 'coalesce(live_account.fresh_at_ms, account.created_at_ms)';
  const mayBeSilentMs = `1000 * (case when account.silent_after_seconds is null then $3
    when account.silent_after_seconds < $2 then $2 else account.silent_after_seconds end)`;
  return sql.all<Row & SilentAccount>(
    `select account.number as "accountNumber", ${freshAtMs} as "freshUtcMs",
       ${mayBeSilentMs} as "mayBeSilentMs", account_sync.last_error as reason
     from account left join live_account on live_account.account_number = account.number
     left join account_sync on account_sync.account_number = account.number
       and account_sync.profile_id = account.profile_id
     where account.deployed = 1
       and ((account.silent_after_seconds > 0 and live_account.fresh_at_ms is not null)
         or (account.silent_after_seconds is null and account.profile_id is not null))
       and (${freshAtMs} <= $1 - ${mayBeSilentMs} or ${freshAtMs} > $1)
       and not exists (select 1 from tracker_event
         where tracker_event.account_number = account.number and tracker_id = 'feed'
           and kind = 'silence' and start_time_ms = ${freshAtMs})
     limit $4`,
    [nowMs, leastSeconds, readSeconds, limit],
  );
}

/** Writes states; `hoursVersion` is 1 for those whose closed hours change, too, else 0. */
export async function writeLiveAccounts(
  tx: Transaction,
  accounts: readonly StoredLiveAccount[],
): Promise<void> {
  await inSlices(accounts, async (slice) => {
    await tx.run(
      `${LIVE.insert(slice.length)} on conflict (account_number)
       ${LIVE.replace('account_number', 'hours_version')},
         hours_version = live_account.hours_version + excluded.hours_version`,
      slice.flatMap((account) => LIVE.values(account)),
    );
  });
}

/** Counts a change of the closed hours, so that derived data is made again. */
export async function changeHoursVersion(tx: Transaction, accountNumber: number): Promise<void> {
  await tx.run(
    'update live_account set hours_version = hours_version + 1 where account_number = $1',
    [accountNumber],
  );
}

/** Does so for those accounts that no one else is changing now. Returns which. */
export async function takeHours(
  tx: Transaction,
  accountNumbers: readonly number[],
): Promise<number[]> {
  const list = places(1, accountNumbers.length);
  const free = `select account_number from live_account
    where account_number in (${list}) ${ifFree(tx.kind)}`;
  const rows = await tx.all<{ account_number: number }>(
    `update live_account set hours_version = hours_version + 1
     where account_number in (${free}) returning account_number`,
    accountNumbers,
  );
  return rows.map((row) => row.account_number);
}

/** Notes the clock that an account has been folded with so far, unless one is stored. */
export async function noteClock(
  tx: Transaction,
  accountNumber: number,
  clock: BrokerClock,
): Promise<void> {
  const unknown = {
    ...{ lastUtcMs: undefined, settleDueUtcMs: undefined },
    ...{ state: undefined, recent: undefined, park: undefined },
  };
  await tx.run(
    `${LIVE.insert()} on conflict (account_number) do nothing`,
    LIVE.values({ ...unknown, ...NO_FIGURES, accountNumber, position: 0, hoursVersion: 0, clock }),
  );
}

/** Notes that entries of an account wait; its state stays. Does nothing if the account is gone. */
export async function parkAccount(
  tx: Transaction,
  accountNumber: number,
  position: number,
  park: string,
): Promise<void> {
  await tx.run(
    `insert into live_account
       (account_number, position, hours_version, exceeded, trackers, clock, park)
     select number, $2, 0, 0, 0, broker_clock, $3 from account where number = $1
     on conflict (account_number) do update set position = excluded.position, park = excluded.park`,
    [accountNumber, position, park],
  );
}

/** A waiting entry of an account, as it is in the journal, with its position. */
export type ParkedEntry = { position: number; body: Uint8Array };

export async function writeParkedEntries(
  tx: Transaction,
  accountNumber: number,
  entries: readonly ParkedEntry[],
): Promise<void> {
  for (const { position, body } of entries) {
    await tx.run(
      `insert into parked_entry (account_number, position, body) values ($1, $2, $3)
       on conflict (account_number, position) do nothing`,
      [accountNumber, position, body],
    );
  }
}

export async function readParkedEntries(
  sql: Sql,
  accountNumber: number,
  after: number,
  limit: number,
): Promise<ParkedEntry[]> {
  return sql.all<Row & ParkedEntry>(
    `select position, body from parked_entry where account_number = $1 and position > $2
     order by position limit $3`,
    [accountNumber, after, limit],
  );
}

/** Removes entries that have been folded. */
export async function deleteParkedEntries(
  tx: Transaction,
  accountNumber: number,
  until: number,
): Promise<void> {
  await tx.run('delete from parked_entry where account_number = $1 and position <= $2', [
    accountNumber,
    until,
  ]);
}

export type ParkedAccount = { accountNumber: number; position: number; park: string };

/** Accounts whose entries wait, in order of number. */
export async function listParkedAccounts(sql: Sql, limit: number): Promise<ParkedAccount[]> {
  return sql.all<Row & ParkedAccount>(
    `select account_number as "accountNumber", position, park from live_account
     where park is not null order by account_number limit $1`,
    [limit],
  );
}

/** Undefined if the account is not in quarantine. */
export async function findParkedAccount(
  sql: Sql,
  accountNumber: number,
): Promise<ParkedAccount | undefined> {
  return sql.get<Row & ParkedAccount>(
    `select account_number as "accountNumber", position, park from live_account
     where account_number = $1 and park is not null`,
    [accountNumber],
  );
}
