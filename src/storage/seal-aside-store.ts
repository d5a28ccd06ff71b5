import type { Sql, Transaction } from './database.ts';
import { plain, RecordTable } from './record-table.ts';
import { numberOf } from './sql-text.ts';

/** A user whose events cannot be sealed from one on, until the reason is gone. */
export type SealAside = {
  userId: string;
  fromNumber: number;
  reason: string;
  sinceMs: number;
};

const ASIDE = new RecordTable<SealAside>('seal_aside', {
  userId: plain('user_id'),
  fromNumber: plain('from_number'),
  reason: plain('reason'),
  sinceMs: plain('since_ms'),
});

/** Those of some users, in the order of their ids. */
export async function findAsides(sql: Sql, userIds: readonly string[]): Promise<SealAside[]> {
  const users = [...new Set(userIds)];
  const found = await ASIDE.allIn(sql, users, (list) => `where user_id in (${list})`);
  return found.sort((a, b) => (a.userId < b.userId ? -1 : 1));
}

/** The one after a user, and after the last the first again. */
export const nextAside = (sql: Sql, userId: string): Promise<SealAside | undefined> =>
  ASIDE.get(sql, 'order by case when user_id > $1 then 0 else 1 end, user_id limit 1', [userId]);

export const countAsides = (sql: Sql): Promise<number> =>
  numberOf(sql, 'select count(*) as count from seal_aside');

export async function saveAside(tx: Transaction, aside: SealAside): Promise<void> {
  await tx.run(
    `${ASIDE.insert()} on conflict (user_id) ${ASIDE.replace('user_id')}`,
    ASIDE.values(aside),
  );
}

export async function removeAside(tx: Transaction, userId: string): Promise<void> {
  await tx.run('delete from seal_aside where user_id = $1', [userId]);
}
