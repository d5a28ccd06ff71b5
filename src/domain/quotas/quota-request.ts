import { QUOTA_NAMES } from '../../words/service.ts';
import { MAX_QUOTA, type QuotaChange, type Quotas } from './quotas.ts';

/**
 * Quotas that a user requests in one region. `justification` is for the operator, in the user's
 * words.
 */
export type QuotaRequest = { change: QuotaChange; justification?: string | undefined };

/** Requests up to these are approved at once; other quotas need an operator. */
export type QuotaPolicy = { approveUpTo: QuotaChange };

/** Merges a later request of the same user and region, which replaces the quotas it names. */
export function mergeRequests(pending: QuotaRequest, next: QuotaRequest): QuotaRequest {
  return {
    change: { ...pending.change, ...next.change },
    justification: next.justification ?? pending.justification,
  };
}

export function applyQuotaChange(quotas: Quotas, change: QuotaChange): Quotas {
  return { ...quotas, ...change };
}

/**
 * Approves a change within the policy's ceilings; undefined leaves the decision to an operator, as
 * always for a quota without a ceiling. A policy never declines.
 */
export function decideByPolicy(change: QuotaChange, policy: QuotaPolicy): 'approve' | undefined {
  const asked = QUOTA_NAMES.flatMap((name) => {
    const wanted = change[name];
    return wanted === undefined ? [] : [{ name, wanted }];
  });
  const within = asked.every(({ name, wanted }) => wanted <= (policy.approveUpTo[name] ?? -1));
  return asked.length > 0 && within ? 'approve' : undefined;
}

export type QuotaFault = { parameter: string; message: string };

/** All faults of quotas from outside: unknown names, and anything but 0 … MAX_QUOTA. */
export function quotaFaults(fields: Readonly<Record<string, unknown>>): QuotaFault[] {
  const names: readonly string[] = QUOTA_NAMES;
  return Object.entries(fields).flatMap(([parameter, value]) => {
    if (!names.includes(parameter)) return [{ parameter, message: 'is not a quota' }];
    const sound =
      typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_QUOTA;
    return sound ? [] : [{ parameter, message: `must be a whole number from 0 to ${MAX_QUOTA}` }];
  });
}

/**
 * Reads quotas written as `maxAccounts=100,maxDedicatedIpv4=2`, the way settings and the command
 * line give them. Returns all faults instead if there are any.
 */
export function parseQuotas(text: string): { change: QuotaChange } | { faults: QuotaFault[] } {
  const fields: Record<string, unknown> = Object.create(null);
  const faults: QuotaFault[] = [];
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue;
    const [name = '', ...rest] = item.split('=').map((part) => part.trim());
    const value = rest.join('=');
    if (name in fields) faults.push({ parameter: name, message: 'is given twice' });
    fields[name] = /^\d{1,15}$/.test(value) ? Number(value) : value;
  }
  faults.push(...quotaFaults(fields));
  return faults.length > 0 ? { faults } : { change: { ...fields } };
}
