import type { ReferenceSettings } from '../contract/openapi/document.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** Paths are appended unchanged. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

export const referenceSettings = (settings: Settings): ReferenceSettings => ({
  version: VERSION,
  publicUrl: withoutSlash(settings.PLIMSOLL_PUBLIC_URL),
  addresses: {
    stats: withoutSlash(settings.PLIMSOLL_STATS_URL),
    risk: withoutSlash(settings.PLIMSOLL_RISK_URL),
    client: withoutSlash(settings.PLIMSOLL_CLIENT_URL),
    manager: withoutSlash(settings.PLIMSOLL_MANAGER_URL),
    provisioning: withoutSlash(settings.PLIMSOLL_PROVISIONING_URL),
  },
});
