import { useQueries } from '@tanstack/react-query';
import type { readAccountOperation } from '../../../../src/contract/operations/accounts.ts';
import type { readDrawdownOperation } from '../../../../src/contract/operations/drawdown.ts';
import { call } from '../../lib/api.ts';

const REFRESH_MS = 30_000;
const BEGINNING = '1970-01-01 00:00:00.000';

/** The compared accounts, in the order of the given ids, with their hours. */
export function useCompared(ids: readonly string[], isAll: boolean) {
  const accounts = useQueries({
    queries: ids.map((accountId) => ({
      queryKey: ['account', accountId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call<typeof readAccountOperation>(
          'GET /users/current/accounts/:accountId',
          { params: { accountId } },
          signal,
        ),
    })),
  });
  const drawdowns = useQueries({
    queries: ids.map((accountId) => ({
      queryKey: ['account', accountId, 'drawdown', isAll],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call<typeof readDrawdownOperation>(
          'GET /users/current/accounts/:accountId/equity-drawdown',
          { params: { accountId }, query: isAll ? { startTime: BEGINNING } : {} },
          signal,
        ),
      refetchInterval: REFRESH_MS,
    })),
  });
  return {
    accounts: accounts.map(({ data }) => data),
    drawdowns: drawdowns.map(({ data }) => data),
    isPending: [...accounts, ...drawdowns].some((query) => query.isPending),
    error: [...accounts, ...drawdowns].find(({ error }) => error)?.error,
    retry: () => {
      for (const query of [...accounts, ...drawdowns]) void query.refetch();
    },
    updatedAt: Math.max(0, ...drawdowns.map(({ dataUpdatedAt }) => dataUpdatedAt)),
  };
}
