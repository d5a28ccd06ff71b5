import type { ReferenceSettings } from '../contract/openapi/document.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** Paths are put behind it as they are. */
const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

export const referenceSettings = (settings: Settings): ReferenceSettings => ({
  version: VERSION,
  publicUrl: withoutSlash(settings.PLIMSOLL_PUBLIC_URL),
  addresses: Object.fromEntries(
    Object.entries(settings.PLIMSOLL_BASE_URLS).map(([base, url]) => [base, withoutSlash(url)]),
  ),
});
