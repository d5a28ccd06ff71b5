import type { Tier } from '../../words/accounts.ts';
import { QUOTA_NAMES, type QuotaName } from '../../words/service.ts';

export type Quotas = Record<QuotaName, number>;
/** Used accounts of each quota. */
export type QuotaUsage = Record<QuotaName, number>;
/** Requested changes of quotas; the others stay. */
export type QuotaChange = Partial<Quotas>;

/** The properties of an account that quotas count. */
export type QuotaHolding = {
  tier: Tier;
  deployed: boolean;
  copy: boolean;
  dedicatedIpv4: boolean;
};

/** No quota may be larger, so that a typing error is caught. */
export const MAX_QUOTA = 1_000_000;

/** How much one account uses of each quota: 0 or 1; a missing account uses nothing. */
export function holdingUsage(holding: QuotaHolding | undefined): QuotaUsage {
  const deployed = holding?.deployed === true;
  return {
    maxAccounts: holding ? 1 : 0,
    maxDeployedG1Accounts: deployed && holding.tier === 'g1' ? 1 : 0,
    maxDeployedG2Accounts: deployed && holding.tier === 'g2' ? 1 : 0,
    maxDeployedCopyAccounts: deployed && holding.copy ? 1 : 0,
    maxDedicatedIpv4: holding?.dedicatedIpv4 ? 1 : 0,
  };
}

/** Accounts of the same kind. */
export type HoldingCount = { holding: QuotaHolding; accounts: number };

/** Sum of the use by all accounts. */
export function usageOf(counts: readonly HoldingCount[]): QuotaUsage {
  const usage = holdingUsage(undefined);
  for (const { holding, accounts } of counts) {
    const one = holdingUsage(holding);
    for (const name of QUOTA_NAMES) usage[name] += one[name] * accounts;
  }
  return usage;
}

/** used ÷ quota × 100; of a quota of 0, nothing used is 0 and anything used is 100. */
export function usageInPercents(used: number, quota: number): number {
  if (quota === 0) return used === 0 ? 0 : 100;
  return (used * 100) / quota;
}

/** Whether an account's change from `before` to `after` uses more of any quota. */
export function takesMore(
  before: QuotaHolding | undefined,
  after: QuotaHolding | undefined,
): boolean {
  const from = holdingUsage(before);
  const to = holdingUsage(after);
  return QUOTA_NAMES.some((name) => to[name] > from[name]);
}

export type ExceededQuota = { quota: QuotaName; max: number; used: number };

/**
 * The quotas that an account's change from `before` to `after` (undefined: does not exist) would
 * exceed, given what is used with `before` still in place. Usage that does not grow is always
 * accepted, even above a quota that was lowered since.
 */
export function exceededQuotas(
  usage: QuotaUsage,
  before: QuotaHolding | undefined,
  after: QuotaHolding | undefined,
  quotas: Quotas,
): ExceededQuota[] {
  const from = holdingUsage(before);
  const to = holdingUsage(after);
  return QUOTA_NAMES.filter(
    (name) => to[name] > from[name] && usage[name] + to[name] - from[name] > quotas[name],
  ).map((name) => ({ quota: name, max: quotas[name], used: usage[name] }));
}
