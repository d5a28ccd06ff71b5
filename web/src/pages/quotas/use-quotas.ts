import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  listOwnQuotaRequestsOperation,
  readUserQuotasOperation,
  requestQuotasOperation,
} from '../../../../src/contract/operations/quotas.ts';
import { type Answer, call } from '../../lib/api.ts';
import { useReadAll } from '../../lib/use-operation.ts';
import type { QuotaName } from './quota-words.ts';

export type RegionQuotas = Answer<typeof readUserQuotasOperation>[number];
export type QuotaWish = Partial<Record<QuotaName, number>>;
/** `approved`: the server's policy decided at once. */
export type RequestOutcome = 'sent' | 'updated' | 'approved';

const QUERY_KEY = ['quotas'];

const readQuotas = (signal?: AbortSignal): Promise<RegionQuotas[]> =>
  call<typeof readUserQuotasOperation>('GET /users/current/quotas', {}, signal);

export function useQuotas() {
  return useQuery({ queryKey: QUERY_KEY, queryFn: ({ signal }) => readQuotas(signal) });
}

export type PendingRequest = Answer<typeof listOwnQuotaRequestsOperation>[number];

/** The pending requests, by region. */
export function usePendingRequests() {
  return useReadAll<typeof listOwnQuotaRequestsOperation, Map<string, PendingRequest>>(
    [...QUERY_KEY, 'pending'],
    'GET /users/current/quota-requests',
    { query: { state: 'pending' } },
    { select: (requests) => new Map(requests.map((request) => [request.region, request])) },
  );
}

/**
 * Requests other maxima. The answer does not say whether the policy approved them at once, but the
 * quotas do.
 */
export function useQuotaRequest(region: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: {
      wish: QuotaWish;
      justification: string;
    }): Promise<RequestOutcome> => {
      const { wish, justification } = request;
      const answer = await call<typeof requestQuotasOperation>(
        'PATCH /users/current/regions/:region/quotas',
        { params: { region }, body: { ...wish, ...(justification ? { justification } : {}) } },
      );
      const quotas = await readQuotas();
      client.setQueryData(QUERY_KEY, quotas);
      await client.invalidateQueries({ queryKey: [...QUERY_KEY, 'pending'] });
      const now = quotas.find((each) => each.region === region);
      const names = Object.keys(wish) as QuotaName[];
      if (names.length > 0 && names.every((name) => now?.[name].quota === wish[name]))
        return 'approved';
      return answer ? 'sent' : 'updated';
    },
  });
}
