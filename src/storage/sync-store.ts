import { nextTurn } from '../domain/loop-turns.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { LATEST_FAILED } from './profile-reading-store.ts';
import { plain, RecordTable } from './record-table.ts';
import { inSlices, places } from './sql-text.ts';

/** An account whose last good state is older than this is failing, whatever the cause. */
export const OLD_STATE_MS = 60_000;

/** The progress of reading an account from the platform of its profile. */
export type AccountSync = {
  accountNumber: number;
  /** An account that gets another profile starts from the beginning. */
  profileId: string;
  /** Counts the changes. */
  version: number;
  /** Broker time up to which its deals were read; 0 before the first. */
  cursorMs: number;
  /** UTC of the last comparison that found all its deals equal in number to the platform's. */
  provenAtMs: number | null;
  /** Failed readings in a row. */
  failures: number;
  lastError: string | null;
  /** UTC at which it was last read, as far as noted; a failure always notes it. */
  readAtMs: number | null;
  /** As on the platform at the last comparison with the account's own. */
  platformCurrency: string | null;
  platformLeverage: number | null;
};

const SYNC = new RecordTable<AccountSync>('account_sync', {
  accountNumber: plain('account_number'),
  profileId: plain('profile_id'),
  version: plain('version'),
  cursorMs: plain('cursor_ms'),
  provenAtMs: plain('proven_at_ms'),
  failures: plain('failures'),
  lastError: plain('last_error'),
  readAtMs: plain('read_at_ms'),
  platformCurrency: plain('platform_currency'),
  platformLeverage: plain('platform_leverage'),
});

/** Numbers of the deployed accounts that are read through a profile, in order. */
export async function listBoundAccounts(
  sql: Sql,
  profileId: string,
  afterNumber: number,
  limit: number,
): Promise<number[]> {
  const rows = await sql.all<{ number: number }>(
    `select number from account where profile_id = $1 and number > $2 and deployed = 1
     order by number limit $3`,
    [profileId, afterNumber, limit],
  );
  return rows.map(({ number }) => number);
}

export async function findSync(sql: Sql, accountNumber: number): Promise<AccountSync | undefined> {
  const [sync] = await findSyncs(sql, [accountNumber]);
  return sync;
}

/** In no order; absent ones are left out. */
export const findSyncs = (sql: Sql, numbers: readonly number[]): Promise<AccountSync[]> =>
  SYNC.allIn(sql, numbers, (list) => `where account_number in (${list})`);

export async function saveSync(sql: Sql, sync: AccountSync): Promise<void> {
  await sql.run(
    `${SYNC.insert()} on conflict (account_number) ${SYNC.replace('account_number')}`,
    SYNC.values(sync),
  );
}

/** Moves cursors on, except of accounts that failed or are read through another profile. */
export async function advanceSyncs(
  tx: Transaction,
  profileId: string,
  numbers: readonly number[],
  cursorMs: number,
): Promise<void> {
  await inSlices(numbers, async (slice) => {
    await tx.run(
      `update account_sync set cursor_ms = $2
       where profile_id = $1 and cursor_ms < $2 and failures = 0
         and account_number in (${places(3, slice.length)})`,
      [profileId, cursorMs, ...slice],
    );
  });
}

/** Stores the result of comparing the number of deals with the platform's; null: not proven. */
export async function noteProof(
  tx: Transaction,
  { accountNumber, profileId }: Pick<AccountSync, 'accountNumber' | 'profileId'>,
  provenAtMs: number | null,
): Promise<void> {
  await tx.run(
    'update account_sync set proven_at_ms = $3 where account_number = $1 and profile_id = $2',
    [accountNumber, profileId, provenAtMs],
  );
}

export async function noteSyncFailure(
  tx: Transaction,
  { accountNumber, profileId }: Pick<AccountSync, 'accountNumber' | 'profileId'>,
  { failures, lastError, readAtMs }: Pick<AccountSync, 'failures' | 'lastError' | 'readAtMs'>,
): Promise<void> {
  await tx.run(
    `insert into account_sync
       (account_number, profile_id, version, cursor_ms, failures, last_error, read_at_ms)
     values ($1, $2, 0, 0, $3, $4, $5)
     on conflict (account_number) do update
       set failures = excluded.failures, last_error = excluded.last_error,
         read_at_ms = coalesce(excluded.read_at_ms, account_sync.read_at_ms)
       where account_sync.profile_id = excluded.profile_id`,
    [accountNumber, profileId, failures, lastError, readAtMs],
  );
}

/** Stores the settings that the platform has for an account. */
export async function notePlatformSettings(
  tx: Transaction,
  { accountNumber, profileId }: Pick<AccountSync, 'accountNumber' | 'profileId'>,
  {
    platformCurrency,
    platformLeverage,
  }: Pick<AccountSync, 'platformCurrency' | 'platformLeverage'>,
): Promise<void> {
  await tx.run(
    `update account_sync set platform_currency = $3, platform_leverage = $4
     where account_number = $1 and profile_id = $2`,
    [accountNumber, profileId, platformCurrency, platformLeverage],
  );
}

export type ProfileLag = {
  profileId: string;
  accounts: number;
  /** All, where the latest call to the platform failed. */
  failing: number;
  /** Accounts whose number of deals is not proven equal to the platform's. */
  unproven: number;
  /** Accounts whose currency or leverage differs from the platform's. */
  differing: number;
  /** When all of its accounts were last read, or the oldest one was created. */
  readAtMs: number;
};

/** Accounts per statement; on SQLite everything else waits while they are counted. */
const LAG_ACCOUNTS = 1000;

/** Some accounts of a profile. */
type PartOfLag = {
  profile_id: string;
  last: number;
  accounts: number;
  failing: number;
  unproven: number;
  differing: number;
  read_at_ms: number | null;
  created_at_ms: number;
};

/** How far the reading of each profile's accounts is behind. */
export async function readSyncLag(sql: Sql, limit = LAG_ACCOUNTS): Promise<ProfileLag[]> {
  const lags = new Map<string, ProfileLag>();
  let after = { profileId: '', number: 0 };
  for (;;) {
    const parts = await readPartsOfLag(sql, after, limit);
    for (const part of parts) addPart(lags, part);
    const [last] = parts.slice(-1);
    const accounts = parts.reduce((sum, part) => sum + part.accounts, 0);
    if (!last || accounts < limit) return [...lags.values()];
    after = { profileId: last.profile_id, number: last.last };
    await nextTurn();
  }
}

/** The next accounts in order of profile and number, summed up for each profile. */
const readPartsOfLag = (
  sql: Sql,
  after: { profileId: string; number: number },
  limit: number,
): Promise<PartOfLag[]> =>
  sql.all<Row & PartOfLag>(
    `select account.profile_id, max(account.number) as last, count(*) as accounts,
       sum(case when account_sync.failures > 0 or ${LATEST_FAILED} then 1 else 0 end) as failing,
       sum(case when account_sync.proven_at_ms is null then 1 else 0 end) as unproven,
       sum(case when account_sync.platform_currency <> account.currency
         or account_sync.platform_leverage <> account.leverage then 1 else 0 end) as differing,
       max(profile_reading.read_at_ms) as read_at_ms, min(account.created_at_ms) as created_at_ms
     from (select profile_id, number, currency, leverage, created_at_ms from account
       where profile_id is not null and (profile_id, number) > ($1, $2) and deployed = 1
       order by profile_id, number limit $3) as account
     left join account_sync on account_sync.account_number = account.number
       and account_sync.profile_id = account.profile_id
     left join profile_reading on profile_reading.profile_id = account.profile_id
     left join provisioning_profile on provisioning_profile.id = account.profile_id
     group by account.profile_id order by account.profile_id`,
    [after.profileId, after.number, limit],
  );

function addPart(lags: Map<string, ProfileLag>, part: PartOfLag): void {
  const known = lags.get(part.profile_id);
  const readAtMs = part.read_at_ms ?? Math.min(part.created_at_ms, known?.readAtMs ?? Infinity);
  lags.set(part.profile_id, {
    profileId: part.profile_id,
    accounts: part.accounts + (known?.accounts ?? 0),
    failing: Number(part.failing) + (known?.failing ?? 0),
    unproven: Number(part.unproven) + (known?.unproven ?? 0),
    differing: Number(part.differing) + (known?.differing ?? 0),
    readAtMs,
  });
}
