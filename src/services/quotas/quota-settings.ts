import type { QuotaPolicy } from '../../domain/quotas/quota-request.ts';
import type { Quotas } from '../../domain/quotas/quotas.ts';

export type QuotaSettings = {
  /** At least one; an account belongs to one of them. */
  regions: readonly string[];
  /** A user's quotas in a region unless set otherwise. */
  quotaDefaults: Quotas;
  quotaPolicy: QuotaPolicy;
  /** Right-hand side of Message-IDs: the domain of the mail sender. */
  mailDomain: string;
};
