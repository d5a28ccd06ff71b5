import type { Row, Sql, Transaction } from './database.ts';
import { allIn } from './sql-text.ts';

/** A profile whose accounts are read, and its reader. */
export type ProfileReading = {
  profileId: string;
  /** The process that has claimed it; undefined if the profile is free. */
  reader: string | undefined;
  /** The number of accounts that its reader counted last. */
  accounts: number;
};

/** Profiles through which deployed accounts are read, in order. */
export async function listReadings(sql: Sql): Promise<ProfileReading[]> {
  const rows = await sql.all<Row & { id: string; holder: string | null; accounts: number }>(
    `select provisioning_profile.id, claim.holder, coalesce(accounts, 0) as accounts
     from provisioning_profile
     left join profile_reading on profile_reading.profile_id = provisioning_profile.id
     left join claim on claim.kind = 'profile' and claim.key = provisioning_profile.id
     where exists (select 1 from account
       where account.profile_id = provisioning_profile.id and account.deployed = 1)
     order by provisioning_profile.id`,
  );
  return rows.map(({ id, holder, accounts }) => ({
    ...{ profileId: id, reader: holder ?? undefined, accounts },
  }));
}

/** Whether the latest call to the platform of a provisioning_profile failed. */
export const LATEST_FAILED = 'last_error_ms > coalesce(last_success_ms, 0)';

export type ReadingState = {
  profileId: string;
  /** When the last round that read all of its accounts began. */
  readAtMs: number | null;
  /** Why the latest call to its platform failed; null if it succeeded. */
  lastError: string | null;
};

/** The state of reading the profiles; absent ones are left out. */
export async function findReadingStates(
  sql: Sql,
  profileIds: readonly string[],
): Promise<ReadingState[]> {
  const rows = await allIn<Row & { id: string; read_at_ms: number | null; error: string | null }>(
    sql,
    profileIds,
    (list) =>
      `select id, read_at_ms, case when ${LATEST_FAILED} then last_error end as error
       from provisioning_profile left join profile_reading on profile_id = id
       where id in (${list})`,
  );
  return rows.map((row) => ({
    ...{ profileId: row.id, readAtMs: row.read_at_ms, lastError: row.error },
  }));
}

/** Notes the progress of a profile's reader, for the process that has claimed it. */
export async function noteReading(
  tx: Transaction,
  profileId: string,
  { accounts, readAtMs }: { accounts: number; readAtMs: number | undefined },
): Promise<void> {
  await tx.run(
    `insert into profile_reading (profile_id, accounts, read_at_ms) values ($1, $2, $3)
     on conflict (profile_id) do update set accounts = excluded.accounts,
       read_at_ms = coalesce(excluded.read_at_ms, profile_reading.read_at_ms)`,
    [profileId, accounts, readAtMs ?? null],
  );
}
