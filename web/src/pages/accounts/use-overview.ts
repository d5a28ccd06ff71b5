import { useQueries } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Static } from 'typebox';
import type {
  accountsOverviewOperation,
  OverviewAccount,
} from '../../../../src/contract/operations/accounts-overview.ts';
import { type Answer, call } from '../../lib/api.ts';
import { useLocation } from '../../lib/route.ts';

export type OverviewQuery = Static<typeof accountsOverviewOperation.querystring>;
export type Sort = NonNullable<OverviewQuery['sort']>;
export type Filter = NonNullable<OverviewQuery['filter']>;
export type Order = NonNullable<OverviewQuery['order']>;
type Asked = Required<Omit<OverviewQuery, 'limit' | 'offset'>>;
type OverviewPage = Answer<typeof accountsOverviewOperation>;

const PAGE = 100;
const REFRESH_MS = 4_000;
const KEPT_MS = 60_000;

/** What the address asks for. */
export function useOverviewQuery(): Asked {
  const { query } = useLocation();
  return {
    search: query.get('search') ?? '',
    filter: (query.get('filter') ?? 'all') as Filter,
    sort: (query.get('sort') ?? 'usedLimit') as Sort,
    order: (query.get('order') ?? 'descending') as Order,
  };
}

/** The rows in sight, first and last. */
export type Sight = { first: number; last: number };

/** The pages of accounts that are in sight, kept fresh; others are not asked for. */
export function useOverview(asked: Asked, { first, last }: Sight) {
  const firstPage = Math.floor(first / PAGE);
  const lastPage = Math.floor(last / PAGE);
  const known = useRef<OverviewPage>(undefined);
  const results = useQueries({
    queries: Array.from({ length: lastPage - firstPage + 1 }, (_, index) => ({
      queryKey: ['accounts', 'overview', asked, firstPage + index],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call<typeof accountsOverviewOperation>(
          'GET /users/current/accounts-overview',
          { query: { ...asked, limit: PAGE, offset: (firstPage + index) * PAGE } },
          signal,
        ),
      refetchInterval: REFRESH_MS,
      gcTime: KEPT_MS,
    })),
  });
  const newest = results
    .filter(({ data }) => data !== undefined)
    .sort((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0]?.data;
  if (newest) known.current = newest;
  return {
    /** Totals; of the former question until the new one is answered. */
    totals: newest ?? known.current,
    isAnswered: newest !== undefined,
    error: results.find(({ error }) => error)?.error,
    retry: () => {
      for (const result of results) result.refetch();
    },
    /** The account of a row, once its page is here. */
    accountAt: (row: number): OverviewAccount | undefined =>
      results[Math.floor(row / PAGE) - firstPage]?.data?.accounts[row % PAGE],
  };
}
