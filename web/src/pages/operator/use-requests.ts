import type {
  decideQuotaRequestOperation,
  listQuotaRequestsOperation,
} from '../../../../src/contract/operations/quotas.ts';
import { type Answer, call } from '../../lib/api.ts';
import { useChange } from '../../lib/use-operation.ts';
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

export const useDecision = () =>
  useChange<typeof decideQuotaRequestOperation>(
    'POST /admin/quota-requests/:id/decision',
    ...[[QUERY_KEY], ['mail'], ['audit'], ['quotas']],
  );
