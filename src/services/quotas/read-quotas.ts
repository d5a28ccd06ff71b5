import { type Quotas, usageInPercents, usageOf } from '../../domain/quotas/quotas.ts';
import { readHeldBytes } from '../../storage/holding-store.ts';
import { countHoldings, findQuotas } from '../../storage/quota-store.ts';
import type { QuotaName } from '../../words/service.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { notFound } from '../errors.ts';
import type { QuotaSettings } from './quota-settings.ts';

type QuotaEntry = { quota: number; usageInPercents: number };
export type UserQuotas = Record<QuotaName, QuotaEntry> & {
  region: string;
  /** In all regions; absent: no limit. */
  maxStoredBytes?: QuotaEntry;
};

/** The caller's quotas and usage in every region, counted at this moment. */
export async function readUserQuotas(
  { changes, database, regions, quotaDefaults }: Context & QuotaSettings,
  principal: Principal,
): Promise<UserQuotas[]> {
  const userId = userOf(principal);
  const { mostBytes } = changes;
  const stored = await findQuotas(database, userId);
  const maxStoredBytes = Number.isFinite(mostBytes)
    ? {
        quota: mostBytes,
        usageInPercents: usageInPercents(await readHeldBytes(database, userId), mostBytes),
      }
    : undefined;
  const counts = await countHoldings(database, userId);
  return regions.map((region) => {
    const quotas = stored.get(region) ?? quotaDefaults;
    const usage = usageOf(counts.filter((count) => count.region === region));
    const entry = (name: QuotaName): QuotaEntry => ({
      quota: quotas[name],
      usageInPercents: usageInPercents(usage[name], quotas[name]),
    });
    return {
      maxAccounts: entry('maxAccounts'),
      maxDeployedG1Accounts: entry('maxDeployedG1Accounts'),
      maxDeployedG2Accounts: entry('maxDeployedG2Accounts'),
      maxDeployedCopyAccounts: entry('maxDeployedCopyAccounts'),
      maxDedicatedIpv4: entry('maxDedicatedIpv4'),
      ...(maxStoredBytes ? { maxStoredBytes } : {}),
      region,
    };
  });
}

/** The caller's plain maxima in one region. Throws `notFound` for an unknown region. */
export async function readRegionQuotas(
  { database, regions, quotaDefaults }: Context & QuotaSettings,
  principal: Principal,
  region: string,
): Promise<Quotas> {
  const userId = userOf(principal);
  if (!regions.includes(region)) throw notFound('Region');
  return (await findQuotas(database, userId)).get(region) ?? quotaDefaults;
}
