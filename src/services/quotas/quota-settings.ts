import type { QuotaPolicy } from '../../domain/quotas/quota-request.ts';
import type { Quotas } from '../../domain/quotas/quotas.ts';

export type QuotaSettings = {
  /** At least one; an account belongs to one of them. */
  regions: readonly string[];
  /** What a user has in a region unless somebody has set something else. */
  quotaDefaults: Quotas;
  quotaPolicy: QuotaPolicy;
  /** Right-hand side of Message-IDs: the domain that mail is sent from. */
  mailDomain: string;
};
