import { HOLDING_KINDS, type HoldingKind } from '../words/holdings.ts';
import type { Sql, Transaction } from './database.ts';

/** How many things of a kind a user has, and how many bytes they take. */
export type Holding = { items: number; bytes: number };

/** Counts what a transaction adds, or takes away; returns what the user has of the kind then. */
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

/** How many things of a kind a user has. */
export async function readHolding(sql: Sql, userId: string, kind: HoldingKind): Promise<Holding> {
  const row = await sql.get<Holding>(
    'select items, bytes from user_holding where user_id = $1 and kind = $2',
    [userId, kind],
  );
  return row ?? { items: 0, bytes: 0 };
}

/** What a user has of each kind. */
export async function listHoldings(
  sql: Sql,
  userId: string,
): Promise<(Holding & { kind: HoldingKind })[]> {
  return sql.all<Holding & { kind: HoldingKind }>(
    'select kind, items, bytes from user_holding where user_id = $1 order by kind limit $2',
    [userId, HOLDING_KINDS.length],
  );
}

/** The bytes of all that a user has. */
export async function readHeldBytes(sql: Sql, userId: string): Promise<number> {
  const row = await sql.get<{ bytes: number }>(
    'select cast(coalesce(sum(bytes), 0) as bigint) as bytes from user_holding where user_id = $1',
    [userId],
  );
  return row?.bytes ?? 0;
}
