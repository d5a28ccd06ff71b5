import {
  exceededQuotas,
  type QuotaHolding,
  takesMore,
  usageOf,
} from '../../domain/quotas/quotas.ts';
import type { Transaction } from '../../storage/database.ts';
import { countHoldings, findQuotas } from '../../storage/quota-store.ts';
import { ServiceError } from '../errors.ts';
import type { QuotaSettings } from './quota-settings.ts';

/** Lock for everything that counts or changes the quotas of a user in a region. */
export const quotaLock = (userId: string, region: string): string => `quota:${userId}:${region}`;

export type OwnedHolding = QuotaHolding & { userId: string; region: string };

/**
 * Throws `forbidden` naming every quota that the account's change would exceed, as details
 * `[{quota, max, used}]`. Call it in the transaction of the change, before the change is written:
 * it locks the user's region until the end, so that concurrent changes count one after another.
 * `before` is absent for a new account. A change that takes no more of any quota is neither refused
 * nor locked. User and region of an account never change.
 */
export async function enforceQuotas(
  { quotaDefaults }: Pick<QuotaSettings, 'quotaDefaults'>,
  tx: Transaction,
  before: QuotaHolding | undefined,
  after: OwnedHolding,
): Promise<void> {
  if (!takesMore(before, after)) return;
  const { userId, region } = after;
  await tx.lock(quotaLock(userId, region));
  const quotas = (await findQuotas(tx, userId)).get(region) ?? quotaDefaults;
  const counts = await countHoldings(tx, userId);
  const usage = usageOf(counts.filter((count) => count.region === region));
  const exceeded = exceededQuotas(usage, before, after, quotas);
  if (exceeded.length === 0) return;
  const named = exceeded.map(({ quota, max, used }) => `${quota} (${used} of ${max} used)`);
  throw new ServiceError(
    'forbidden',
    `The quota of region ${region} is used up: ${named.join(', ')}. Request a larger one with PATCH /users/current/regions/${region}/quotas`,
    { details: exceeded },
  );
}
