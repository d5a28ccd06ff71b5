import type { Row, Sql, Transaction } from './database.ts';
import { allIn } from './sql-text.ts';

/** A profile whose accounts are to be read, and who reads them. */
export type ProfileReading = {
  profileId: string;
  /** The process that holds the lease; undefined if the profile is free. */
  reader: string | undefined;
  /** How many its reader counted last. */
  accounts: number;
};

/** Which process wants to read a profile, and for how long. */
export type ReadingLease = { profileId: string; reader: string; nowMs: number; leaseMs: number };

/**
 * A lease is valid if it ends no further ahead than its length. One that ends later was written by
 * a clock that was ahead, and is ignored: waiting for its end could take days.
 */
const HOLDS = 'leased_until_ms > $1 and leased_until_ms <= $2';

/** Profiles that deployed accounts are read through, in order. */
export async function listReadings(
  sql: Sql,
  nowMs: number,
  leaseMs: number,
): Promise<ProfileReading[]> {
  const rows = await sql.all<Row & { id: string; reader: string | null; accounts: number }>(
    `select provisioning_profile.id,
       case when ${HOLDS} then reader end as reader, coalesce(accounts, 0) as accounts
     from provisioning_profile
     left join profile_reading on profile_reading.profile_id = provisioning_profile.id
     where exists (select 1 from account
       where account.profile_id = provisioning_profile.id and account.deployed = 1)
     order by provisioning_profile.id`,
    [nowMs, nowMs + leaseMs],
  );
  return rows.map(({ id, reader, accounts }) => ({
    ...{ profileId: id, reader: reader ?? undefined, accounts },
  }));
}

export type ReadingState = {
  profileId: string;
  /** When a round that read all of its accounts last began. */
  readAtMs: number | null;
  /** Why the latest call to its platform failed; null if it succeeded. */
  lastError: string | null;
};

/** How reading of the profiles goes; absent ones are left out. */
export async function findReadingStates(
  sql: Sql,
  profileIds: readonly string[],
): Promise<ReadingState[]> {
  const rows = await allIn<Row & { id: string; read_at_ms: number | null; error: string | null }>(
    sql,
    profileIds,
    (list) =>
      `select id, read_at_ms, case when last_error_ms > coalesce(last_success_ms, 0)
         then last_error end as error
       from provisioning_profile left join profile_reading on profile_id = id
       where id in (${list})`,
  );
  return rows.map((row) => ({
    ...{ profileId: row.id, readAtMs: row.read_at_ms, lastError: row.error },
  }));
}

/** Takes a free profile; false if another process was first. */
export async function takeReading(
  tx: Transaction,
  { profileId, reader, nowMs, leaseMs }: ReadingLease,
): Promise<boolean> {
  const taken = await tx.run(
    `insert into profile_reading (profile_id, reader, leased_until_ms, accounts)
     values ($3, $4, $2, 0)
     on conflict (profile_id) do update set reader = excluded.reader,
       leased_until_ms = excluded.leased_until_ms
     where not (profile_reading.leased_until_ms > $1 and profile_reading.leased_until_ms <= $2)
       or profile_reading.reader = excluded.reader`,
    [nowMs, nowMs + leaseMs, profileId, reader],
  );
  return taken > 0;
}

/** Renews the lease, and notes how far the reader came; false if another one has taken over. */
export async function renewReading(
  tx: Transaction,
  { profileId, reader, nowMs, leaseMs }: ReadingLease,
  { accounts, readAtMs }: { accounts: number; readAtMs: number | undefined },
): Promise<boolean> {
  const renewed = await tx.run(
    `update profile_reading set leased_until_ms = $3, accounts = $4,
       read_at_ms = coalesce($5, read_at_ms)
     where profile_id = $1 and reader = $2`,
    [profileId, reader, nowMs + leaseMs, accounts, readAtMs ?? null],
  );
  return renewed > 0;
}

/** Leaves a profile to other processes. */
export async function endReading(
  tx: Transaction,
  profileId: string,
  reader: string,
): Promise<void> {
  await tx.run(
    'update profile_reading set leased_until_ms = 0 where profile_id = $1 and reader = $2',
    [profileId, reader],
  );
}

/** Announces that a process reads platforms. Returns all that do, in order. */
export async function announceReader(
  tx: Transaction,
  id: string,
  nowMs: number,
  forMs: number,
): Promise<string[]> {
  await tx.run('delete from sync_process where seen_until_ms <= $1 or seen_until_ms > $2', [
    nowMs,
    nowMs + forMs,
  ]);
  await tx.run(
    `insert into sync_process (id, seen_until_ms) values ($1, $2)
     on conflict (id) do update set seen_until_ms = excluded.seen_until_ms`,
    [id, nowMs + forMs],
  );
  const rows = await tx.all<{ id: string }>('select id from sync_process order by id');
  return rows.map((row) => row.id);
}

export async function removeReader(tx: Transaction, id: string): Promise<void> {
  await tx.run('delete from sync_process where id = $1', [id]);
}
