import type { QuotaSettings } from '../services/quotas/quota-settings.ts';
import type { Settings } from './settings.ts';

export const quotaSettings = (settings: Settings): QuotaSettings => ({
  regions: settings.PLIMSOLL_REGIONS,
  quotaDefaults: settings.PLIMSOLL_QUOTAS,
  quotaPolicy: { approveUpTo: settings.PLIMSOLL_QUOTA_CEILINGS },
  mailDomain: settings.MAIL_FROM.address.replace(/^.*@/, ''),
});
