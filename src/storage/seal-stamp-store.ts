import type { Sql, Transaction } from './database.ts';
import { bytes, plain, RecordTable } from './record-table.ts';
import { type StoredTree, TREE } from './seal-store.ts';

/** The time stamp of a user's head of a size. */
export type SealStamp = { userId: string; size: number; token: Buffer; atMs: number };

const STAMP = new RecordTable<SealStamp>('seal_stamp', {
  userId: plain('user_id'),
  size: plain('size'),
  token: bytes('token'),
  atMs: plain('at_ms'),
});

/** Trees that grew since their last stamp, which was made before a moment, in order. */
export const listUnstamped = (
  sql: Sql,
  { beforeMs, afterUserId }: { beforeMs: number; afterUserId: string },
  limit: number,
): Promise<StoredTree[]> =>
  TREE.all(
    sql,
    `where user_id > $2 and not exists (
       select 1 from seal_stamp where seal_stamp.user_id = seal_tree.user_id
         and (seal_stamp.size >= seal_tree.size or seal_stamp.at_ms > $1))
     order by user_id limit $3`,
    [beforeMs, afterUserId, limit],
  );

/** The first or the last stamp of a user's tree at a size from `least` to `most`. */
export const findStamp = (
  sql: Sql,
  userId: string,
  { least, most }: { least: number; most: number },
  which: 'first' | 'last',
): Promise<SealStamp | undefined> =>
  STAMP.get(
    sql,
    `where user_id = $1 and size >= $2 and size <= $3
     order by size ${which === 'first' ? 'asc' : 'desc'} limit 1`,
    [userId, least, most],
  );

/** The first one of a size stays. */
export async function insertStamp(tx: Transaction, stamp: SealStamp): Promise<void> {
  await tx.run(`${STAMP.insert()} on conflict (user_id, size) do nothing`, STAMP.values(stamp));
}
