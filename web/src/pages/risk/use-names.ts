import { useQueries } from '@tanstack/react-query';
import type { readAccountOperation } from '../../../../src/contract/operations/accounts.ts';
import type { listTrackersOperation } from '../../../../src/contract/operations/trackers.ts';
import { call } from '../../lib/api.ts';

const MAX_NAMED = 200;
const STALE_MS = 300_000;

export type Names = Map<string, { name: string; currency: string; trackers: Map<string, string> }>;

/** Names of the accounts that events are about, and of their trackers. */
export function useNames(accountIds: readonly string[]): Names {
  return useQueries({
    queries: accountIds.slice(0, MAX_NAMED).map((accountId) => ({
      queryKey: ['names', accountId],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const params = { accountId };
        const [account, trackers] = await Promise.all([
          call<typeof readAccountOperation>(
            'GET /users/current/accounts/:accountId',
            { params },
            signal,
          ),
          call<typeof listTrackersOperation>(
            'GET /users/current/accounts/:accountId/trackers',
            { params },
            signal,
          ),
        ]);
        return { account, trackers };
      },
      staleTime: STALE_MS,
      retry: false,
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }) =>
          data
            ? [
                [
                  data.account.id,
                  {
                    name: data.account.name,
                    currency: data.account.currency,
                    trackers: new Map(data.trackers.map(({ _id, name }) => [_id, name])),
                  },
                ] as const,
              ]
            : [],
        ),
      ),
  });
}
