import { useQuery } from '@tanstack/react-query';
import type { accountsOverviewOperation } from '../../../src/contract/operations/accounts-overview.ts';
import { call } from '../lib/api.ts';

export type Counter = 'exceeded' | 'near' | 'stale' | 'unwatched';
export const COUNTERS: readonly Counter[] = ['exceeded', 'near', 'stale', 'unwatched'];

const REFRESH_MS = 4_000;

/** How many of all accounts need somebody's attention, and why. */
export const useCounters = (isEnabled = true) =>
  useQuery({
    queryKey: ['accounts', 'counters'],
    queryFn: async ({ signal }) => {
      const { accounts: _, ...counters } = await call<typeof accountsOverviewOperation>(
        'GET /users/current/accounts-overview',
        { query: { limit: 1 } },
        signal,
      );
      return counters;
    },
    enabled: isEnabled,
    refetchInterval: REFRESH_MS,
  });
