import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  decideQuotaRequestOperation,
  listQuotaRequestsOperation,
} from '../../../../src/contract/operations/quotas.ts';
import type { QuotaDecision } from '../../../../src/words/service.ts';
import { type Answer, call } from '../../lib/api.ts';
import { usePages } from './use-pages.ts';

export type QuotaRequest = Answer<typeof listQuotaRequestsOperation>[number];

const QUERY_KEY = 'quota-requests';
const REFRESH_MS = 15_000;

export function useQuotaRequests(state: QuotaRequest['state'] | 'all') {
  return usePages(
    [QUERY_KEY, state],
    (page, signal) =>
      call<typeof listQuotaRequestsOperation>(
        'GET /admin/quota-requests',
        { query: { ...page, ...(state === 'all' ? {} : { state }) } },
        signal,
      ),
    () => REFRESH_MS,
  );
}

export function useDecision(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ decision, message }: { decision: QuotaDecision; message: string }) =>
      call<typeof decideQuotaRequestOperation>('POST /admin/quota-requests/:id/decision', {
        params: { id },
        body: { decision, ...(message ? { message } : {}) },
      }),
    onSuccess: () => {
      for (const key of [QUERY_KEY, 'mail', 'audit', 'quotas'])
        client.invalidateQueries({ queryKey: [key] });
    },
  });
}
