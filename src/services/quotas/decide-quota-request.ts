import { applyQuotaChange } from '../../domain/quotas/quota-request.ts';
import type { Transaction } from '../../storage/database.ts';
import { queueMail } from '../../storage/mail-store.ts';
import {
  findQuotaRequest,
  type StoredQuotaRequest,
  updateQuotaRequest,
} from '../../storage/quota-request-store.ts';
import { findQuotas, upsertQuotas } from '../../storage/quota-store.ts';
import { findUserRow } from '../../storage/user-store.ts';
import type { QuotaDecision } from '../../words/service.ts';
import type { Actor, AuditNote } from '../changes.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { quotaLock } from './enforce-quotas.ts';
import { quotaOutcomeMail } from './quota-outcome-mail.ts';
import type { QuotaSettings } from './quota-settings.ts';

export type Decision = { decision: QuotaDecision; message?: string | undefined };

/**
 * Approves or declines a pending request: the decision, the new quotas, the mail to the user and
 * the audit entry are one commit. Throws `conflict` if it was decided before.
 */
export async function decideQuotaRequest(
  context: Context & QuotaSettings,
  by: Actor,
  requestId: string,
  input: Decision,
): Promise<void> {
  await context.changes.make(by, async (tx) => {
    const found = await findQuotaRequest(tx, requestId);
    if (!found) throw notFound('Quota request');
    await tx.lock(quotaLock(found.userId, found.region));
    const request = await findQuotaRequest(tx, requestId);
    if (request?.state !== 'pending') {
      throw conflict(`The request was already ${request?.state ?? 'removed'}`);
    }
    const note = await settleQuotaRequest(context, tx, by.actor, request, input);
    return { result: undefined, audit: [note] };
  });
}

/**
 * The decision itself, in a transaction that holds the quota lock of the request's user. Returns
 * the note for the audit.
 */
export async function settleQuotaRequest(
  context: Context & QuotaSettings,
  tx: Transaction,
  actor: string,
  request: StoredQuotaRequest,
  { decision, message }: Decision,
): Promise<AuditNote> {
  const { now, newId, quotaDefaults, mailDomain } = context;
  const { userId, region, requested } = request;
  const before = (await findQuotas(tx, userId)).get(region) ?? quotaDefaults;
  const after = decision === 'approve' ? applyQuotaChange(before, requested) : before;
  const state = decision === 'approve' ? 'approved' : 'declined';
  const words = message?.trim() || null;
  const decidedAtMs = now();
  await updateQuotaRequest(tx, {
    ...request,
    state,
    decidedAtMs,
    decidedBy: actor,
    message: words,
  });
  if (decision === 'approve') await upsertQuotas(tx, userId, region, after);
  const user = await findUserRow(tx, userId);
  if (!user) throw notFound('User');
  const mailId = newId();
  const outcome = { decision, region, requested, before, after, message: words };
  const mail = quotaOutcomeMail(user, `<${mailId}@${mailDomain}>`, outcome);
  await queueMail(tx, mailId, mail, decidedAtMs);
  const details = { requestId: request.id, region, requested, from: before, to: after };
  return { action: `quota.${state}`, userId, details: { ...details, message: words } };
}
