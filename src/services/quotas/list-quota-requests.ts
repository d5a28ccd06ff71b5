import { type QuotaChange, type Quotas, usageOf } from '../../domain/quotas/quotas.ts';
import {
  listQuotaRequestRows,
  type StoredQuotaRequest,
} from '../../storage/quota-request-store.ts';
import { countHoldingsOf, findQuotasOf } from '../../storage/quota-store.ts';
import { QUOTA_NAMES, type QuotaName, type QuotaRequestState } from '../../words/service.ts';
import type { Context } from '../context.ts';
import { isoTime, isoTimeOrAbsent } from '../present-time.ts';
import type { QuotaSettings } from './quota-settings.ts';

export type ListedQuotaRequest = {
  id: string;
  userId: string;
  email: string;
  region: string;
  state: QuotaRequestState;
  requested: QuotaChange;
  /** The user's quotas, and use, in the region now; only while the request is pending. */
  current: Record<QuotaName, { max: number; used: number }> | undefined;
  justification: string | undefined;
  createdAt: string;
  updatedAt: string;
  decidedAt: string | undefined;
  decidedBy: string | undefined;
  message: string | undefined;
};

type Page = { state?: QuotaRequestState | undefined; limit: number; offset: number };

/** A page of the requests of all users or of one, newest first. */
export async function listQuotaRequests(
  { database, quotaDefaults }: Pick<Context, 'database'> & Pick<QuotaSettings, 'quotaDefaults'>,
  { state, limit, offset }: Page,
  userId?: string,
): Promise<ListedQuotaRequest[]> {
  const requests = await listQuotaRequestRows(database, { state, userId }, limit, offset);
  // For decided requests they are no longer needed, and have changed since.
  const pending = requests.filter((request) => request.state === 'pending');
  const current = await currentOf(database, pending, quotaDefaults);
  return requests.map((request) => ({
    id: request.id,
    userId: request.userId,
    email: request.email,
    region: request.region,
    state: request.state,
    requested: request.requested,
    current: current.get(request.id),
    justification: request.justification ?? undefined,
    createdAt: isoTime(request.createdAtMs),
    updatedAt: isoTime(request.updatedAtMs),
    decidedAt: isoTimeOrAbsent(request.decidedAtMs),
    decidedBy: request.decidedBy ?? undefined,
    message: request.message ?? undefined,
  }));
}

type Current = NonNullable<ListedQuotaRequest['current']>;

/** Quotas and use of the requesting users in their regions, by id of the request. */
async function currentOf(
  database: Context['database'],
  requests: readonly StoredQuotaRequest[],
  defaults: Quotas,
): Promise<Map<string, Current>> {
  const userIds = [...new Set(requests.map(({ userId }) => userId))];
  const stored = Map.groupBy(await findQuotasOf(database, userIds), keyOf);
  const counts = Map.groupBy(await countHoldingsOf(database, userIds), keyOf);
  return new Map(
    requests.map((request) => {
      const quotas = stored.get(keyOf(request))?.[0]?.quotas ?? defaults;
      const usage = usageOf(counts.get(keyOf(request)) ?? []);
      const entries = QUOTA_NAMES.map((name) => [name, { max: quotas[name], used: usage[name] }]);
      return [request.id, Object.fromEntries(entries) as Current];
    }),
  );
}

const keyOf = ({ userId, region }: { userId: string; region: string }): string =>
  JSON.stringify([userId, region]);
