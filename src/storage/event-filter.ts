import type { EventKind } from '../words/events.ts';
import type { Row, Sql, SqlValue } from './database.ts';
import { Where } from './sql-text.ts';

export type EventFilter = {
  userId: string;
  /** Only this account, if given. */
  accountNumber?: number | undefined;
  /** Only events of this tracker or enrolment, if given. */
  subjectId?: string | undefined;
  /** Only accounts with these numbers, if given. */
  accountNumbers?: ReadonlySet<number> | undefined;
  /** Only events of this kind, if given. */
  kind?: EventKind | undefined;
};

/** Events left from a deleted account belong to no user, and are removed soon. */
export const OF_ACCOUNTS =
  'exists (select 1 from account where account.number = tracker_event.account_number)';

/** How many accounts' events one statement merges: more are slow. */
const MERGED_ACCOUNTS = 50;

/** The condition on an event's row; `$1` is the user. */
export function eventsWhere(filter: EventFilter, params: SqlValue[] = []): Where {
  if (params.length === 0) params.push(filter.userId);
  const where = new Where(params)
    .and('user_id = $1')
    .equal('account_number', filter.accountNumber)
    .equal('tracker_id', filter.subjectId);
  // As text: the partial index of drawdowns is not used with a parameter.
  if (filter.kind === 'drawdown') where.and("kind = 'drawdown'");
  else where.equal('kind', filter.kind);
  if (!filter.accountNumbers) return where.and(OF_ACCOUNTS);
  const own = new Where(params).and('user_id = $1').oneOf('number', filter.accountNumbers);
  // For one account equality, so that the index of the account gives the rows in order.
  const among = filter.accountNumbers.size === 1 ? '=' : 'in';
  return where.and(`account_number ${among} (select number from account where ${own})`);
}

type InOrder<T> = {
  /** Selects the rows that pass the filter. */
  select: (where: Where) => string;
  order: readonly (keyof T & string)[];
  isDescending?: boolean;
  /** An index finds the rows of all accounts together, and there are few. */
  isFew?: boolean;
  limit: number;
};

/**
 * The first rows that pass the filter, in an order that an index has for each account's events. For
 * a token restricted to some accounts, SQLite, which does not know how many events they have, would
 * search all of the user's: so it is made to merge the events of each account.
 */
export async function readInOrder<T extends Row>(
  sql: Sql,
  filter: EventFilter,
  { select, order, isDescending = false, isFew = false, limit }: InOrder<T>,
): Promise<T[]> {
  const direction = isDescending ? ' desc' : '';
  const columns = order.map((column) => column + direction).join(', ');
  const read = (some: readonly EventFilter[]): Promise<T[]> => {
    const params: SqlValue[] = [];
    const selects = some.map((each) => select(eventsWhere(each, params)));
    params.push(limit);
    const all = `${selects.join(' union all ')} order by ${columns} limit $${params.length}`;
    return sql.all<T>(all, params);
  };
  const isMerged = sql.kind === 'sqlite' && !isFew;
  const accounts = isMerged ? eachAccountOf(filter) : [filter];
  if (accounts.length <= MERGED_ACCOUNTS) return read(accounts);
  const found: T[] = [];
  for (let start = 0; start < accounts.length; start += MERGED_ACCOUNTS)
    found.push(...(await read(accounts.slice(start, start + MERGED_ACCOUNTS))));
  return found.sort((a, b) => compare(a, b, order) * (isDescending ? -1 : 1)).slice(0, limit);
}

/** The filter for each of a token's accounts, or unchanged if there is nothing to merge. */
function eachAccountOf(filter: EventFilter): EventFilter[] {
  const { accountNumbers, accountNumber } = filter;
  if (!accountNumbers || accountNumbers.size === 0 || accountNumber !== undefined) return [filter];
  return [...accountNumbers].map((number) => ({ ...filter, accountNumbers: new Set([number]) }));
}

function compare<T extends Row>(a: T, b: T, order: readonly (keyof T)[]): number {
  for (const column of order) {
    const difference = Number(a[column]) - Number(b[column]);
    if (difference !== 0) return difference;
  }
  return 0;
}
