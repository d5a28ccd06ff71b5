import type { BrokerClock } from '../domain/broker-time.ts';
import type { Row, Sql, SqlValue, Transaction } from './database.ts';
import { allIn, inSlices, tuples } from './sql-text.ts';

/** The stored live state of an account; without bytes nothing was folded yet. */
export type StoredLiveAccount = {
  accountId: string;
  /** Which of the accounts that had this id after each other. */
  createdAtMs: number;
  clock: BrokerClock;
  state: Uint8Array | undefined;
  recent: Uint8Array | undefined;
};

type LiveRow = Row & {
  account_id: string;
  created_at_ms: number;
  clock_zone: string;
  clock_shift_hours: number;
  state: Uint8Array | null;
  recent: Uint8Array | null;
};

const COLUMNS = 'account_id, created_at_ms, clock_zone, clock_shift_hours, state, recent';
/** The states of those of the accounts that have one. */
export async function readLiveAccounts(
  sql: Sql,
  accountIds: readonly string[],
): Promise<StoredLiveAccount[]> {
  const rows = await allIn<LiveRow>(
    sql,
    accountIds,
    (ids) => `select ${COLUMNS} from live_account where account_id in (${ids})`,
  );
  return rows.map(liveAccountOf);
}

/** `written` is called each time that the bytes of some of them are not needed any more. */
export async function writeLiveAccounts(
  tx: Transaction,
  accounts: readonly StoredLiveAccount[],
  written = (): void => {},
): Promise<void> {
  await inSlices(accounts, async (slice) => {
    await tx.run(
      `insert into live_account (${COLUMNS}) values ${tuples(slice.length, 6)}
       on conflict (account_id) do update set created_at_ms = excluded.created_at_ms,
         clock_zone = excluded.clock_zone, clock_shift_hours = excluded.clock_shift_hours,
         state = excluded.state, recent = excluded.recent`,
      slice.flatMap(valuesOf),
    );
    written();
  });
}

/** Notes the clock that an account has been folded with so far, unless that is known. */
export async function noteClock(
  tx: Transaction,
  account: Omit<StoredLiveAccount, 'state' | 'recent'>,
): Promise<void> {
  await tx.run(
    `insert into live_account (${COLUMNS}) values ${tuples(1, 6)}
     on conflict (account_id) do nothing`,
    valuesOf({ ...account, state: undefined, recent: undefined }),
  );
}

/** Removes all that the fold left of an account, its trackers' definitions and events excepted. */
export async function deleteLiveAccount(tx: Transaction, accountId: string): Promise<void> {
  for (const table of ['live_account', 'equity_bucket', 'chart_day', 'period_statistics']) {
    await tx.run(`delete from ${table} where account_id = $1`, [accountId]);
  }
}

const valuesOf = (account: StoredLiveAccount): SqlValue[] => [
  account.accountId,
  account.createdAtMs,
  account.clock.zone,
  account.clock.shiftHours,
  account.state ?? null,
  account.recent ?? null,
];

const liveAccountOf = (row: LiveRow): StoredLiveAccount => ({
  accountId: row.account_id,
  createdAtMs: row.created_at_ms,
  clock: { zone: row.clock_zone, shiftHours: row.clock_shift_hours },
  state: row.state ?? undefined,
  recent: row.recent ?? undefined,
});
