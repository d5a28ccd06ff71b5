import {
  listQuotaRequests as pageOfRequests,
  type QuotaRequestState,
  type StoredQuotaRequest,
} from '../../storage/quota-request-store.ts';
import type { Context } from '../context.ts';

/** A page of the requests of all users, newest first, with the users' addresses. */
export function listQuotaRequests(
  { database }: Context,
  page: { state?: QuotaRequestState | undefined; limit: number; offset: number },
): Promise<(StoredQuotaRequest & { email: string })[]> {
  return pageOfRequests(database, page.state, page.limit, page.offset);
}
