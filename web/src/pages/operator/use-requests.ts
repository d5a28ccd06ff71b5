import type {
  decideQuotaRequestOperation,
  listQuotaRequestsOperation,
} from '../../../../src/contract/operations/quotas.ts';
import type { Answer } from '../../lib/api.ts';
import { useChange, usePages } from '../../lib/use-operation.ts';

export type QuotaRequest = Answer<typeof listQuotaRequestsOperation>[number];

const QUERY_KEY = 'quota-requests';
const REFRESH_MS = 15_000;

export const useQuotaRequests = (state: QuotaRequest['state'] | 'all') =>
  usePages<typeof listQuotaRequestsOperation>(
    [QUERY_KEY, state],
    'GET /admin/quota-requests',
    { query: state === 'all' ? {} : { state } },
    () => REFRESH_MS,
  );

export const useDecision = () =>
  useChange<typeof decideQuotaRequestOperation>(
    'POST /admin/quota-requests/:id/decision',
    ...[[QUERY_KEY], ['mail'], ['audit'], ['quotas']],
  );
