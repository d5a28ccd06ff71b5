import type { BrokerClock } from '../domain/broker-time.ts';
import { NO_FIGURES, type StandingFigures } from '../domain/live/standing-figures.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { clock, flag, optional, plain, RecordTable } from './record-table.ts';
import { allIn, ifFree, inSlices, places } from './sql-text.ts';

/** The stored live state of an account; without bytes nothing was folded yet. */
export type StoredLiveAccount = StandingFigures & {
  accountNumber: number;
  /** Entries of the journal up to here are in it: at or after its partition's position. */
  position: number;
  /** Moment of its newest snapshot. */
  lastUtcMs: number | undefined;
  /** Another one each time that its closed hours have changed in the database. */
  hoursVersion: number;
  /** The clock that it is folded by, which an account's own may be ahead of. */
  clock: BrokerClock;
  state: Uint8Array | undefined;
  /** Its last snapshots, for evidence. */
  recent: Uint8Array | undefined;
  /** Why its entries wait (JSON) instead of being folded. */
  park: string | undefined;
};

const LIVE = new RecordTable<StoredLiveAccount>('live_account', {
  accountNumber: plain('account_number'),
  position: plain('position'),
  lastUtcMs: optional('last_utc_ms'),
  hoursVersion: plain('hours_version'),
  balance: optional('balance'),
  equity: optional('equity'),
  usedLimit: optional('used_limit'),
  exceeded: flag('exceeded'),
  trackers: plain('trackers'),
  clock: clock('clock'),
  state: optional('state'),
  recent: optional('recent'),
  park: optional('park'),
});

/** The states of those of the accounts that have one. */
export async function readLiveAccounts(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<StoredLiveAccount[]> {
  const rows = await allIn(
    sql,
    accountNumbers,
    (list) => `select ${LIVE.list} from live_account where account_number in (${list})`,
  );
  return rows.map(LIVE.read);
}

const FIGURES = new RecordTable<StandingFigures & { lastUtcMs: number | undefined }>(
  'live_account',
  {
    lastUtcMs: optional('last_utc_ms'),
    balance: optional('balance'),
    equity: optional('equity'),
    usedLimit: optional('used_limit'),
    exceeded: flag('exceeded'),
    trackers: plain('trackers'),
  },
);
export type StoredFigures = ReturnType<typeof FIGURES.read>;

/**
 * The figures of those of the accounts that have a state at a position of the journal from that one
 * on, by their numbers.
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
 * Accounts whose newest stored snapshot lies further back than they may be silent, and is not told
 * of.
 */
export async function listSilent(
  sql: Sql,
  nowMs: number,
  leastSeconds: number,
  limit: number,
): Promise<{ accountNumber: number; lastUtcMs: number }[]> {
  return sql.all<Row & { accountNumber: number; lastUtcMs: number }>(
    `select account.number as "accountNumber", live_account.last_utc_ms as "lastUtcMs"
     from account join live_account on live_account.account_number = account.number
     where account.silent_after_seconds > 0 and account.deployed = 1
       and live_account.last_utc_ms <= $1 - 1000 *
         (case when account.silent_after_seconds < $2 then $2 else account.silent_after_seconds end)
       and not exists (select 1 from tracker_event
         where tracker_event.account_number = account.number and tracker_id = 'feed'
           and kind = 'silence' and start_time_ms = live_account.last_utc_ms)
     limit $3`,
    [nowMs, leastSeconds, limit],
  );
}

/** Writes states; `hoursVersion` is 1 for those whose closed hours change with it, else 0. */
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

/** Makes whoever holds something that was made of the account's closed hours make it again. */
export async function changeHoursVersion(tx: Transaction, accountNumber: number): Promise<void> {
  await tx.run(
    'update live_account set hours_version = hours_version + 1 where account_number = $1',
    [accountNumber],
  );
}

/** The same for those of the accounts that nobody else changes at the moment; which these are. */
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

/** Notes the clock that an account has been folded with so far, unless that is known. */
export async function noteClock(
  tx: Transaction,
  accountNumber: number,
  clock: BrokerClock,
): Promise<void> {
  const unknown = { lastUtcMs: undefined, state: undefined, recent: undefined, park: undefined };
  await tx.run(
    `${LIVE.insert()} on conflict (account_number) do nothing`,
    LIVE.values({ ...unknown, ...NO_FIGURES, accountNumber, position: 0, hoursVersion: 0, clock }),
  );
}

/**
 * Notes that entries of an account wait; its state stays as it is. None when the account is gone.
 */
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

/**
 * Entries of an account that wait, in order: as they stand in the journal, each with its position.
 */
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

/** Removes entries that are folded by now. */
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

/** Accounts whose entries wait, in order of their numbers. */
export async function listParkedAccounts(sql: Sql, limit: number): Promise<ParkedAccount[]> {
  return sql.all<Row & ParkedAccount>(
    `select account_number as "accountNumber", position, park from live_account
     where park is not null order by account_number limit $1`,
    [limit],
  );
}

/** Undefined when the account is not in quarantine. */
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
