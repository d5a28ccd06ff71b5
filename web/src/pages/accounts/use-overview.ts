import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { accountsOverviewOperation } from '../../../../src/contract/operations/accounts-overview.ts';
import { call } from '../../lib/api.ts';
import { useLocation } from '../../lib/route.ts';

export type OverviewQuery = Static<typeof accountsOverviewOperation.querystring>;
export type Sort = NonNullable<OverviewQuery['sort']>;
export type Filter = NonNullable<OverviewQuery['filter']>;
export type Order = NonNullable<OverviewQuery['order']>;

const PAGE = 100;
const REFRESH_MS = 4_000;
/** Refreshing asks again for every page that was scrolled to; beyond so many it pauses. */
const MAX_PAGES_REFRESHED = 5;

/** What the address asks for. */
export function useOverviewQuery(): Required<Omit<OverviewQuery, 'limit' | 'offset'>> {
  const { query } = useLocation();
  return {
    search: query.get('search') ?? '',
    filter: (query.get('filter') ?? 'all') as Filter,
    sort: (query.get('sort') ?? 'usedLimit') as Sort,
    order: (query.get('order') ?? 'descending') as Order,
  };
}

/** Accounts as far as they were scrolled to, kept fresh. */
export function useOverview(asked: Omit<OverviewQuery, 'limit' | 'offset'>) {
  return useInfiniteQuery({
    queryKey: ['accounts', 'overview', asked],
    queryFn: ({ pageParam, signal }) =>
      call<typeof accountsOverviewOperation>(
        'GET /users/current/accounts-overview',
        { query: { ...asked, limit: PAGE, offset: pageParam } },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.length * PAGE;
      return loaded < last.total ? loaded : undefined;
    },
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      (query.state.data?.pages.length ?? 0) <= MAX_PAGES_REFRESHED ? REFRESH_MS : false,
  });
}
