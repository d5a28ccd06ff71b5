import type { Sql, Transaction } from './database.ts';
import { inSlices, numberOf, tuples } from './sql-text.ts';

/**
 * A row that was changed or deleted: `account` by its number, `token` by its hash, `tracker` by its
 * account's number and its id; an enrolment counts as a tracker. A new account is reported as
 * changed, a deleted one as `removed`. The handling of an incident, by its account's number and its
 * time.
 */
export type Change = {
  kind: 'account' | 'removed' | 'token' | 'tracker' | 'incident';
  key: string;
};

/** How many changes are kept for processes that have not read them yet. */
const KEPT_CHANGES = 100_000;

/** Of the transactions under way. */
const noted = new WeakMap<Transaction, Change[]>();

/** Makes every process forget a row that it may have cached, once this is committed. */
export function noteChange(tx: Transaction, kind: Change['kind'], key: string | number): void {
  noteChanges(tx, kind, [key]);
}

/** Makes every process forget many rows. */
export function noteChanges(
  tx: Transaction,
  kind: Change['kind'],
  keys: readonly (string | number)[],
): void {
  if (keys.length === 0) return;
  const changes = noted.get(tx) ?? [];
  if (changes.length === 0) tx.atEnd(() => storeChanges(tx, changes));
  changes.push(...keys.map((key) => ({ kind, key: String(key) })));
  noted.set(tx, changes);
}

/** Every transaction that changes such a row changes the head, so it does that last of all. */
async function storeChanges(tx: Transaction, changes: readonly Change[]): Promise<void> {
  // The head is locked to the end of the transaction, so versions are committed in order.
  const head = await tx.get<{ version: number }>(
    'update change_head set version = version + $1 where id = 1 returning version',
    [changes.length],
  );
  let version = (head?.version ?? 0) - changes.length;
  await inSlices(changes, async (slice) => {
    const rows = slice.flatMap(({ kind, key }) => {
      version += 1;
      return [version, kind, key];
    });
    await tx.run(`insert into change (version, kind, key) values ${tuples(slice.length, 3)}`, rows);
  });
}

export const trackerKey = (accountNumber: number, id: string): string => `${accountNumber} ${id}`;
export const accountOfTracker = (key: string): number => Number(key.split(' ')[0]);
export const incidentKey = (accountNumber: number, timeMs: number): string =>
  `${accountNumber} ${timeMs}`;

export const readChangeVersion = (sql: Sql): Promise<number> =>
  numberOf(sql, 'select version from change_head where id = 1');

/** Changes with after < version ≤ until; undefined if some of them are no longer kept. */
export async function readChanges(
  sql: Sql,
  after: number,
  until: number,
): Promise<Change[] | undefined> {
  if (until - after > KEPT_CHANGES) return undefined;
  const rows = await sql.all<{ kind: Change['kind']; key: string }>(
    'select kind, key from change where version > $1 and version <= $2 order by version',
    [after, until],
  );
  return rows.length === until - after ? rows : undefined;
}

export async function trimChanges(sql: Sql): Promise<void> {
  await sql.run(
    'delete from change where version <= (select version from change_head where id = 1) - $1',
    [KEPT_CHANGES],
  );
}
