import type { Platform } from '../../../src/words/accounts.ts';

/** As people call them; the API says p4 and p5. The newer one first. */
const TITLES: Record<Platform, string> = { p5: 'MetaTrader 5', p4: 'MetaTrader 4' };

export const PLATFORMS = (['p5', 'p4'] as const).map((value) => ({ value, title: TITLES[value] }));

export const titleOfPlatform = (platform: Platform): string => TITLES[platform];
