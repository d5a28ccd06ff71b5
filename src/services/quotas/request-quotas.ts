import { DAY_MS } from '../../domain/broker-time.ts';
import {
  decideByPolicy,
  mergeRequests,
  type QuotaRequest,
} from '../../domain/quotas/quota-request.ts';
import type { QuotaChange } from '../../domain/quotas/quotas.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  countDecisions,
  findPendingQuotaRequest,
  insertQuotaRequest,
  type StoredQuotaRequest,
  updateQuotaRequest,
} from '../../storage/quota-request-store.ts';
import { findQuotas } from '../../storage/quota-store.ts';
import { QUOTA_NAMES } from '../../words/service.ts';
import { type AuditNote, actorOf } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { settleQuotaRequest } from './decide-quota-request.ts';
import { quotaLock } from './enforce-quotas.ts';
import type { QuotaSettings } from './quota-settings.ts';

const POLICY = 'policy';
/** Beyond this an operator decides, so that the policy cannot be made to send endless mails. */
const MAX_POLICY_DECISIONS_A_DAY = 20;

export type RequestedQuotas = { id: string; created: boolean };

export type QuotaRequestInput = QuotaChange & { justification?: string | undefined };

/**
 * Requests other quotas in a region, or adds to the pending request there: `created` says which.
 * Words alone are a request as well, for an operator. A user has at most one pending request per
 * region, however many calls come at once. If the policy in the settings approves it, it is decided
 * in the same transaction. An unknown region, or a request for nothing, is a fault.
 */
export async function requestQuotas(
  context: Context & QuotaSettings,
  principal: Principal,
  region: string,
  input: QuotaRequestInput,
): Promise<RequestedQuotas> {
  const userId = wholeUserOf(principal, 'request quotas');
  if (!context.regions.includes(region)) {
    throw invalidParameter('region', `must be one of ${context.regions.join(', ')}`);
  }
  const wanted = requestOf(input);
  if (Object.keys(wanted.change).length === 0 && !wanted.justification) {
    throw invalidParameter('body', 'must name at least one quota or a justification');
  }
  return context.changes.make<RequestedQuotas>(actorOf(principal), async (tx) => {
    await tx.lock(quotaLock(userId, region));
    const pending = await findPendingQuotaRequest(tx, userId, region);
    const request = await writeRequest(context, tx, { userId, region }, pending, wanted);
    const current = (await findQuotas(tx, userId)).get(region) ?? context.quotaDefaults;
    const asked: AuditNote = {
      action: pending ? 'quota.request-updated' : 'quota.requested',
      userId,
      details: { requestId: request.id, region, requested: request.requested, from: current },
    };
    const result = { id: request.id, created: pending === undefined };
    const decision = decideByPolicy(request.requested, context.quotaPolicy);
    const since = context.now() - DAY_MS;
    if (
      decision &&
      (await countDecisions(tx, userId, POLICY, since)) < MAX_POLICY_DECISIONS_A_DAY
    ) {
      const decided = await settleQuotaRequest(context, tx, POLICY, request, { decision });
      return { result, audit: [asked, { ...decided, actor: POLICY }] };
    }
    return { result, audit: [asked] };
  });
}

async function writeRequest(
  { now, newId }: Context,
  tx: Transaction,
  owner: { userId: string; region: string },
  pending: StoredQuotaRequest | undefined,
  asked: QuotaRequest,
): Promise<StoredQuotaRequest> {
  const nowMs = now();
  if (!pending) {
    const request: StoredQuotaRequest = {
      id: newId(),
      ...owner,
      state: 'pending',
      requested: asked.change,
      justification: asked.justification ?? null,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      decidedAtMs: null,
      decidedBy: null,
      message: null,
    };
    await insertQuotaRequest(tx, request);
    return request;
  }
  const merged = mergeRequests(
    { change: pending.requested, justification: pending.justification ?? undefined },
    asked,
  );
  const request: StoredQuotaRequest = {
    ...pending,
    requested: merged.change,
    justification: merged.justification ?? null,
    updatedAtMs: nowMs,
  };
  await updateQuotaRequest(tx, request);
  return request;
}

/** Fields that are present but undefined request no change. */
function requestOf({ justification, ...quotas }: QuotaRequestInput): QuotaRequest {
  const change: QuotaChange = {};
  for (const name of QUOTA_NAMES) {
    const wanted = quotas[name];
    if (wanted !== undefined) change[name] = wanted;
  }
  return { change, justification };
}
