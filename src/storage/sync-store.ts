import type { Row, Sql, Transaction } from './database.ts';

/** How far an account has been read from the platform of its profile. */
export type AccountSync = {
  accountNumber: number;
  /** An account that is bound to another profile starts anew. */
  profileId: string;
  /** Broker time up to which its deals were read; 0 before the first. */
  cursorMs: number;
  /** UTC of the last reading of the longer window in which deals are still edited. */
  reconciledAtMs: number;
  nextAtMs: number;
  /** Failed readings in a row. */
  failures: number;
  lastSuccessMs: number | null;
  lastError: string | null;
};

type SyncRow = Row & {
  account_number: number;
  profile_id: string;
  cursor_ms: number;
  reconciled_at_ms: number;
  next_at_ms: number;
  failures: number;
  last_success_ms: number | null;
  last_error: string | null;
};

export type DueAccount = { accountNumber: number; profileId: string; nextAtMs: number };

/** Profiles that deployed accounts are read through. */
export async function listBoundProfiles(sql: Sql): Promise<string[]> {
  const rows = await sql.all<{ profile_id: string }>(
    'select distinct profile_id from account where profile_id is not null and deployed = 1',
  );
  return rows.map((row) => row.profile_id);
}

/**
 * Deployed accounts of a profile whose next reading is due, the longest waiting first: either those
 * that were read before, or those that were not.
 */
export async function listDueAccounts(
  sql: Sql,
  profileId: string,
  nowMs: number,
  { readBefore, limit }: { readBefore: boolean; limit: number },
): Promise<DueAccount[]> {
  const rows = await sql.all<{ number: number; next_at_ms: number }>(
    `select account.number, coalesce(account_sync.next_at_ms, 0) as next_at_ms
     from account left join account_sync on account_sync.account_number = account.number
     where account.profile_id = $1 and account.deployed = 1
       and coalesce(account_sync.next_at_ms, 0) <= $2
       and case when account_sync.last_success_ms is null then 0 else 1 end = $3
     order by coalesce(account_sync.next_at_ms, 0), account.number limit $4`,
    [profileId, nowMs, readBefore ? 1 : 0, limit],
  );
  return rows.map((row) => ({ accountNumber: row.number, profileId, nextAtMs: row.next_at_ms }));
}

/** Takes a due account for one process; false when another one was first. */
export async function claimDueAccount(
  sql: Sql,
  { accountNumber, profileId, nextAtMs }: DueAccount,
  untilMs: number,
): Promise<boolean> {
  const changed = await sql.run(
    `insert into account_sync
       (account_number, profile_id, cursor_ms, reconciled_at_ms, next_at_ms, failures)
     values ($1, $2, 0, 0, $4, 0)
     on conflict (account_number) do update set next_at_ms = excluded.next_at_ms
       where account_sync.next_at_ms = $3`,
    [accountNumber, profileId, nextAtMs, untilMs],
  );
  return changed > 0;
}

export async function findSync(sql: Sql, accountNumber: number): Promise<AccountSync | undefined> {
  const row = await sql.get<SyncRow>('select * from account_sync where account_number = $1', [
    accountNumber,
  ]);
  return (
    row && {
      accountNumber: row.account_number,
      profileId: row.profile_id,
      cursorMs: row.cursor_ms,
      reconciledAtMs: row.reconciled_at_ms,
      nextAtMs: row.next_at_ms,
      failures: row.failures,
      lastSuccessMs: row.last_success_ms,
      lastError: row.last_error,
    }
  );
}

export async function saveSync(sql: Sql, sync: AccountSync): Promise<void> {
  await sql.run(
    `insert into account_sync (account_number, profile_id, cursor_ms, reconciled_at_ms, next_at_ms,
       failures, last_success_ms, last_error) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (account_number) do update set profile_id = excluded.profile_id,
       cursor_ms = excluded.cursor_ms, reconciled_at_ms = excluded.reconciled_at_ms,
       next_at_ms = excluded.next_at_ms, failures = excluded.failures,
       last_success_ms = excluded.last_success_ms, last_error = excluded.last_error`,
    [
      sync.accountNumber,
      sync.profileId,
      sync.cursorMs,
      sync.reconciledAtMs,
      sync.nextAtMs,
      sync.failures,
      sync.lastSuccessMs,
      sync.lastError,
    ],
  );
}

/** Notes that an account was read and nothing had changed. */
export async function advanceSync(
  tx: Transaction,
  accountNumber: number,
  { cursorMs, lastSuccessMs }: { cursorMs: number; lastSuccessMs: number },
): Promise<void> {
  await tx.run(
    `update account_sync set cursor_ms = $2, last_success_ms = $3, failures = 0, last_error = null
     where account_number = $1`,
    [accountNumber, cursorMs, lastSuccessMs],
  );
}

/** Sets when an account is read next. Changes nothing for an account that was deleted meanwhile. */
export async function scheduleSync(
  sql: Sql,
  accountNumber: number,
  nextAtMs: number,
): Promise<void> {
  await sql.run('update account_sync set next_at_ms = $2 where account_number = $1', [
    accountNumber,
    nextAtMs,
  ]);
}

export async function noteSyncFailure(
  sql: Sql,
  accountNumber: number,
  failure: Pick<AccountSync, 'failures' | 'lastError' | 'nextAtMs'>,
): Promise<void> {
  await sql.run(
    `update account_sync set failures = $2, last_error = $3, next_at_ms = $4
     where account_number = $1`,
    [accountNumber, failure.failures, failure.lastError, failure.nextAtMs],
  );
}

export async function deleteSync(tx: Transaction, accountNumber: number): Promise<void> {
  await tx.run('delete from account_sync where account_number = $1', [accountNumber]);
}

export type ProfileLag = {
  profileId: string;
  accounts: number;
  failing: number;
  /** When the account that waits longest was last read, or was created. */
  oldestSuccessMs: number;
};

/** How far behind the accounts of each profile are. */
export async function readSyncLag(sql: Sql): Promise<ProfileLag[]> {
  const rows = await sql.all<{
    profile_id: string;
    accounts: number;
    failing: number;
    oldest_success_ms: number;
  }>(
    `select account.profile_id, count(*) as accounts,
       sum(case when account_sync.failures > 0 then 1 else 0 end) as failing,
       min(coalesce(account_sync.last_success_ms, account.created_at_ms)) as oldest_success_ms
     from account left join account_sync on account_sync.account_number = account.number
     where account.profile_id is not null and account.deployed = 1
     group by account.profile_id`,
  );
  return rows.map((row) => ({
    profileId: row.profile_id,
    accounts: row.accounts,
    failing: Number(row.failing),
    oldestSuccessMs: row.oldest_success_ms,
  }));
}
