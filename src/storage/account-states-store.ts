import { nextTurn } from '../domain/loop-turns.ts';
import type { Row, Sql } from './database.ts';

/** Accounts in use by visibility, of all users together. */
export type AccountStates = { live: number; stale: number; clockOff: number; unwatched: number };

/** Accounts per statement; on SQLite all others wait while they are counted. */
const AT_ONCE = 5000;

/** A snapshot counts as new for `freshMs` from its receipt on. */
export async function countAccountStates(
  sql: Sql,
  nowMs: number,
  freshMs: number,
  limit = AT_ONCE,
): Promise<AccountStates> {
  const counts = { live: 0, stale: 0, clockOff: 0, unwatched: 0 };
  for (let after = -1; ; ) {
    const some = await countSome(sql, {
      fromMs: nowMs - freshMs,
      toMs: nowMs + freshMs,
      after,
      limit,
    });
    counts.live += Number(some?.live ?? 0);
    counts.stale += Number(some?.fed ?? 0) - Number(some?.live ?? 0);
    counts.clockOff += Number(some?.clock_off ?? 0);
    counts.unwatched += Number(some?.unwatched ?? 0);
    if (!some || some.last === null || some.accounts < limit) return counts;
    after = some.last;
    await nextTurn();
  }
}

type Some = {
  accounts: number;
  last: number | null;
  fed: number | null;
  live: number | null;
  clock_off: number | null;
  unwatched: number | null;
};

const countSome = (
  sql: Sql,
  { fromMs, toMs, after, limit }: { fromMs: number; toMs: number; after: number; limit: number },
): Promise<Some | undefined> =>
  sql.get<Row & Some>(
    `select count(*) as accounts, max(number) as last,
       sum(case when fresh_at_ms is not null then 1 else 0 end) as fed,
       sum(case when fresh_at_ms between $1 and $2 then 1 else 0 end) as live,
       sum(case when clock_off_ms is not null then 1 else 0 end) as clock_off,
       sum(case when used_limit is null
         and (fresh_at_ms is not null or profile_id is not null or trackers > 0)
         then 1 else 0 end) as unwatched
     from (select number, profile_id from account where deployed = 1 and number > $3
       order by number limit $4) as account
     left join live_account on live_account.account_number = account.number`,
    [fromMs, toMs, after, limit],
  );
