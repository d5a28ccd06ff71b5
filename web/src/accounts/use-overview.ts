import { useQueries } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Static } from 'typebox';
import type {
  accountsOverviewOperation,
  OverviewAccount,
} from '../../../src/contract/operations/accounts-overview.ts';
import type { Sight } from '../components/virtual-table.tsx';
import { type Answer, call } from '../lib/api.ts';

export type OverviewQuery = Static<typeof accountsOverviewOperation.querystring>;
export type Sort = NonNullable<OverviewQuery['sort']>;
export type Filter = NonNullable<OverviewQuery['filter']>;
export type Order = NonNullable<OverviewQuery['order']>;
export type Asked = Required<Omit<OverviewQuery, 'limit' | 'offset'>>;
type OverviewPage = Answer<typeof accountsOverviewOperation>;

/** An account with the time of the answer. */
export type Row = OverviewAccount & { answeredAtMs: number };

const PAGE = 100;
const REFRESH_MS = 4_000;
const KEPT_MS = 60_000;

/**
 * The first page, which is printed, and the pages in sight, kept fresh; others are not requested.
 */
export function useOverview(asked: Asked, { first, last }: Sight) {
  const firstPage = Math.floor(first / PAGE);
  const lastPage = Math.floor(last / PAGE);
  const pages = [
    ...new Set([
      0,
      ...Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index),
    ]),
  ];
  const known = useRef<OverviewPage>(undefined);
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['accounts', 'overview', asked, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call<typeof accountsOverviewOperation>(
          'GET /users/current/accounts-overview',
          { query: { ...asked, limit: PAGE, offset: page * PAGE } },
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
  const resultOf = new Map(pages.map((page, index) => [page, results[index]]));
  return {
    /** Totals; those of the former question until the new one is answered. */
    totals: newest ?? known.current,
    isAnswered: newest !== undefined,
    error: results.find(({ error }) => error)?.error,
    retry: () => {
      for (const result of results) result.refetch();
    },
    /** The account at a place, once its page has arrived. */
    rowAt: (place: number): Row | undefined => {
      const result = resultOf.get(Math.floor(place / PAGE));
      const account = result?.data?.accounts[place % PAGE];
      return account && { ...account, answeredAtMs: result.dataUpdatedAt };
    },
    placeOf: (id: string): number | undefined => {
      for (const [page, result] of resultOf) {
        const index = result?.data?.accounts.findIndex((account) => account.id === id) ?? -1;
        if (index >= 0) return page * PAGE + index;
      }
      return undefined;
    },
  };
}
