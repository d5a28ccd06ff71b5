import type { ReferenceSettings } from '../contract/openapi/document.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

export const referenceSettings = (settings: Settings): ReferenceSettings => ({
  version: VERSION,
  publicUrl: settings.PLIMSOLL_PUBLIC_URL,
  addresses: {
    stats: settings.PLIMSOLL_STATS_URL,
    risk: settings.PLIMSOLL_RISK_URL,
    client: settings.PLIMSOLL_CLIENT_URL,
    manager: settings.PLIMSOLL_MANAGER_URL,
    provisioning: settings.PLIMSOLL_PROVISIONING_URL,
  },
});
