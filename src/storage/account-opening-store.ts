import type { Row, Sql, Transaction } from './database.ts';

/** A request with an idempotency key to open an account. Key and body are kept as hashes only. */
export type AccountOpening = {
  profileId: string;
  keyHash: string;
  bodyHash: string;
  requestId: string;
  /** While a request with this key is under way: until when at the latest; 0 afterwards. */
  openingUntilMs: number;
  createdAtMs: number;
};

type OpeningRow = Row & {
  profile_id: string;
  key_hash: string;
  body_hash: string;
  request_id: string;
  opening_until_ms: number;
  created_at_ms: number;
};

export async function findOpening(
  sql: Sql,
  profileId: string,
  keyHash: string,
): Promise<AccountOpening | undefined> {
  const row = await sql.get<OpeningRow>(
    'select * from account_opening where profile_id = $1 and key_hash = $2',
    [profileId, keyHash],
  );
  return (
    row && {
      profileId: row.profile_id,
      keyHash: row.key_hash,
      bodyHash: row.body_hash,
      requestId: row.request_id,
      openingUntilMs: row.opening_until_ms,
      createdAtMs: row.created_at_ms,
    }
  );
}

export async function insertOpening(tx: Transaction, opening: AccountOpening): Promise<void> {
  await tx.run('insert into account_opening values ($1, $2, $3, $4, $5, $6)', [
    opening.profileId,
    opening.keyHash,
    opening.bodyHash,
    opening.requestId,
    opening.openingUntilMs,
    opening.createdAtMs,
  ]);
}

export async function markOpening(
  sql: Sql,
  profileId: string,
  keyHash: string,
  openingUntilMs: number,
): Promise<void> {
  await sql.run(
    'update account_opening set opening_until_ms = $3 where profile_id = $1 and key_hash = $2',
    [profileId, keyHash, openingUntilMs],
  );
}

export async function deleteOpening(sql: Sql, profileId: string, keyHash: string): Promise<void> {
  await sql.run('delete from account_opening where profile_id = $1 and key_hash = $2', [
    profileId,
    keyHash,
  ]);
}

export async function deleteOpeningsBefore(tx: Transaction, createdAtMs: number): Promise<void> {
  await tx.run('delete from account_opening where created_at_ms < $1', [createdAtMs]);
}
