import type { QuotaChange } from '../../domain/quotas/quotas.ts';
import {
  listQuotaRequests as pageOfRequests,
  type QuotaRequestState,
} from '../../storage/quota-request-store.ts';
import type { Context } from '../context.ts';
import { isoTime, isoTimeOrAbsent } from '../present-time.ts';

export type ListedQuotaRequest = {
  id: string;
  userId: string;
  email: string;
  region: string;
  state: QuotaRequestState;
  requested: QuotaChange;
  justification: string | undefined;
  createdAt: string;
  updatedAt: string;
  decidedAt: string | undefined;
  decidedBy: string | undefined;
  message: string | undefined;
};

type Page = { state?: QuotaRequestState | undefined; limit: number; offset: number };

/** A page of the requests of all users, newest first, or of one of them. */
export async function listQuotaRequests(
  { database }: Context,
  { state, limit, offset }: Page,
  userId?: string,
): Promise<ListedQuotaRequest[]> {
  const requests = await pageOfRequests(database, { state, userId }, limit, offset);
  return requests.map((request) => ({
    id: request.id,
    userId: request.userId,
    email: request.email,
    region: request.region,
    state: request.state,
    requested: request.requested,
    justification: request.justification ?? undefined,
    createdAt: isoTime(request.createdAtMs),
    updatedAt: isoTime(request.updatedAtMs),
    decidedAt: isoTimeOrAbsent(request.decidedAtMs),
    decidedBy: request.decidedBy ?? undefined,
    message: request.message ?? undefined,
  }));
}
