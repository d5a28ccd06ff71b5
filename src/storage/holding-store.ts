import { type FactKind, HOLDING_KINDS, type HoldingKind } from '../words/holdings.ts';
import type { Sql, Transaction } from './database.ts';
import { allIn, inSlices, numberOf } from './sql-text.ts';

/** How many things of a kind a user has, and how many bytes they take. */
export type Holding = { items: number; bytes: number };

/** Counts additions or removals of a transaction; returns the user's new count of the kind. */
export async function countHolding(
  tx: Transaction,
  userId: string,
  kind: HoldingKind,
  { items, bytes }: Holding,
): Promise<Holding> {
  const row = await tx.get<Holding>(
    `insert into user_holding (user_id, kind, items, bytes) values ($1, $2, $3, $4)
     on conflict (user_id, kind) do update set items = user_holding.items + excluded.items,
       bytes = user_holding.bytes + excluded.bytes
     returning items, bytes`,
    [userId, kind, items, bytes],
  );
  if (!row) throw new Error('Invariant: a holding has a row');
  return row;
}

/** Counts what a transaction removes of a user; nothing is counted any more of a deleted one. */
export async function giveBackHolding(
  tx: Transaction,
  userId: string,
  kind: HoldingKind,
  { items, bytes }: Holding,
): Promise<void> {
  await tx.run(
    `update user_holding set items = items - $3, bytes = bytes - $4
     where user_id = $1 and kind = $2`,
    [userId, kind, items, bytes],
  );
}

/**
 * What one takes, with its indexes and all that is made of it: the trade of a deal with its
 * statistics, the outcome of an import, the part of a chart's day, sixty minutes.
 */
const FACT_BYTES: Record<FactKind, number> = {
  deal: 1000,
  import: 100_000,
  hour: 400,
  minutes: 1500,
};

/**
 * Counts facts that a transaction adds to accounts, or takes away, for the users whose they are:
 * also those of deleted accounts, until they are removed. Late in the transaction, because the
 * user's other changes of that kind wait from here on.
 */
export async function countFacts(
  tx: Transaction,
  kind: FactKind,
  added: Iterable<readonly [accountNumber: number, items: number]>,
): Promise<void> {
  const counted = [...added].filter(([, items]) => items !== 0);
  await inSlices(counted, async (slice) => {
    const rows = slice.map(
      (_, index) => `(cast($${2 * index + 3} as bigint), cast($${2 * index + 4} as bigint))`,
    );
    await tx.run(
      `with added (number, items) as (values ${rows.join(', ')})
       insert into user_holding (user_id, kind, items, bytes)
       select app_user.id, $1, cast(sum(items) as bigint), cast(sum(items) as bigint) * $2
       from added left join account on account.number = added.number
         left join removed_account on removed_account.number = added.number
         join app_user on app_user.id = coalesce(account.user_id, removed_account.user_id)
       group by app_user.id order by app_user.id
       on conflict (user_id, kind) do update set items = user_holding.items + excluded.items,
         bytes = user_holding.bytes + excluded.bytes`,
      [kind, FACT_BYTES[kind], ...slice.flat()],
    );
  });
}

/** How many things of a kind a user has. */
export async function readHolding(sql: Sql, userId: string, kind: HoldingKind): Promise<Holding> {
  const row = await sql.get<Holding>(
    'select items, bytes from user_holding where user_id = $1 and kind = $2',
    [userId, kind],
  );
  return row ?? { items: 0, bytes: 0 };
}

/** The user's counts of all kinds. */
export async function listHoldings(
  sql: Sql,
  userId: string,
): Promise<(Holding & { kind: HoldingKind })[]> {
  return sql.all<Holding & { kind: HoldingKind }>(
    'select kind, items, bytes from user_holding where user_id = $1 order by kind limit $2',
    [userId, HOLDING_KINDS.length],
  );
}

/** The bytes of all things of a user. */
export const readHeldBytes = (sql: Sql, userId: string): Promise<number> =>
  numberOf(
    sql,
    'select cast(coalesce(sum(bytes), 0) as bigint) as bytes from user_holding where user_id = $1',
    [userId],
  );

/** The bytes of all that each of some users has; who has nothing is left out. */
export async function readHeldBytesOf(
  sql: Sql,
  userIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await allIn<{ user_id: string; bytes: number }>(
    sql,
    userIds,
    (list) =>
      `select user_id, cast(sum(bytes) as bigint) as bytes from user_holding
       where user_id in (${list}) group by user_id`,
  );
  return new Map(rows.map(({ user_id, bytes }) => [user_id, bytes]));
}

/** The bytes of who has most. Reads what all users have: not for every request. */
export const readMostHeldBytes = (sql: Sql): Promise<number> =>
  numberOf(
    sql,
    `select cast(sum(bytes) as bigint) as bytes from user_holding
     group by user_id order by bytes desc limit 1`,
  );
