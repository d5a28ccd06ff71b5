import type { Quotas } from '../../domain/quotas/quotas.ts';
import { findQuotas, upsertQuotas } from '../../storage/quota-store.ts';
import { findUserRow } from '../../storage/user-store.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { quotaLock } from './enforce-quotas.ts';
import type { QuotaSettings } from './quota-settings.ts';

/**
 * Sets the five maxima of a user in a region without a request. Accounts beyond a lowered quota
 * stay; a pending request stays pending.
 */
export async function setQuotas(
  context: Context & QuotaSettings,
  by: Actor,
  userId: string,
  region: string,
  quotas: Quotas,
): Promise<void> {
  const { database, changes, regions, quotaDefaults } = context;
  if (!(await findUserRow(database, userId))) throw notFound('User');
  if (!regions.includes(region)) {
    throw invalidParameter('region', `must be one of ${regions.join(', ')}`);
  }
  await changes.make(by, async (tx) => {
    await tx.lock(quotaLock(userId, region));
    const before = (await findQuotas(tx, userId)).get(region) ?? quotaDefaults;
    await upsertQuotas(tx, userId, region, quotas);
    const details = { region, from: before, to: quotas };
    return { result: undefined, audit: [{ action: 'quota.set', userId, details }] };
  });
}
