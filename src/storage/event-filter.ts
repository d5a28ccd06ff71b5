import type { EventKind } from '../domain/live/live-records.ts';
import type { Row, Sql, SqlValue } from './database.ts';
import { Where } from './sql-text.ts';

export type EventFilter = {
  userId: string;
  /** Only this account, where given. */
  accountNumber?: number | undefined;
  /** Only events of this tracker or enrolment, where given. */
  subjectId?: string | undefined;
  /** Only these accounts, by their ids, where given. */
  accountIds?: ReadonlySet<string> | undefined;
  /** Only events of this kind, where given. */
  kind?: EventKind | undefined;
};

/** What is left of a deleted account is nobody's, and is removed soon. */
export const OF_ACCOUNTS =
  'exists (select 1 from account where account.number = tracker_event.account_number)';

/** Accounts whose events one statement merges: more of them are slow. */
const MERGED_ACCOUNTS = 50;

/** Of an event's row; `$1` is the user. */
export function eventsWhere(filter: EventFilter, params: SqlValue[] = []): Where {
  if (params.length === 0) params.push(filter.userId);
  const where = new Where(params)
    .and('user_id = $1')
    .equal('account_number', filter.accountNumber)
    .equal('tracker_id', filter.subjectId);
  // In words: the index of drawdowns alone serves no parameter.
  if (filter.kind === 'drawdown') where.and("kind = 'drawdown'");
  else where.equal('kind', filter.kind);
  if (!filter.accountIds) return where.and(OF_ACCOUNTS);
  const own = new Where(params).and('user_id = $1').oneOf('id', filter.accountIds);
  // Of one account it is an equation, so that its index gives the rows in their order.
  const among = filter.accountIds.size === 1 ? '=' : 'in';
  return where.and(`account_number ${among} (select number from account where ${own})`);
}

type InOrder<T> = {
  /** Selects what meets the filter. */
  select: (where: Where) => string;
  order: readonly (keyof T & string)[];
  isDescending?: boolean;
  /** An index finds few rows of all accounts together. */
  isFew?: boolean;
  limit: number;
};

/**
 * The first rows that pass the filter, in an order for which there is an index of each account's
 * events. SQLite, which does not know how many there are, would look for those of a token of some
 * accounts among all of the user's: it is asked for the merged events of each account.
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

/** The filter for each of a token's accounts, or as it is where nothing is to be merged. */
function eachAccountOf(filter: EventFilter): EventFilter[] {
  const { accountIds, accountNumber } = filter;
  if (!accountIds || accountIds.size === 0 || accountNumber !== undefined) return [filter];
  return [...accountIds].map((id) => ({ ...filter, accountIds: new Set([id]) }));
}

function compare<T extends Row>(a: T, b: T, order: readonly (keyof T)[]): number {
  for (const column of order) {
    const difference = Number(a[column]) - Number(b[column]);
    if (difference !== 0) return difference;
  }
  return 0;
}
