import { PLATFORMS as FAMILIES, type Platform } from '../../../src/words/accounts.ts';

/** As people call them; the API says p4 and p5. */
const TITLES: Record<Platform, string> = { p4: 'MetaTrader 4', p5: 'MetaTrader 5' };

export const titleOfPlatform = (platform: Platform): string => TITLES[platform];

/** To choose from, the newer one first. */
export const PLATFORMS = FAMILIES.toReversed().map((value) => ({
  value,
  title: TITLES[value],
}));
