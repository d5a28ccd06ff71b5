import { useQuery } from '@tanstack/react-query';
import type { accountsOverviewOperation } from '../../../../src/contract/operations/accounts-overview.ts';
import { call } from '../../lib/api.ts';

/**
 * The accounts of a group nearest to their limits, and how many it has. Asked once: lines that come
 * and go while one looks can't be compared.
 */
export const useGroupTop = (label: string, most: number, isEnabled: boolean) =>
  useQuery({
    queryKey: ['group-top', label, most],
    queryFn: async ({ signal }) => {
      const { accounts, total } = await call<typeof accountsOverviewOperation>(
        'GET /users/current/accounts-overview',
        { query: { label, sort: 'usedLimit', order: 'descending', limit: most } },
        signal,
      );
      return { ids: accounts.map(({ id }) => id), total };
    },
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
