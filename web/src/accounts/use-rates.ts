import { kept } from '../lib/kept.ts';

/** Rates as typed, by `EUR/USD`, and the currency of the sum; kept by this browser. */
export type SavedRates = { base: string; rates: Record<string, string> };

const saved = kept<SavedRates>('plimsoll-rates', { base: '', rates: {} });

export const useRates = (): SavedRates => saved.useKept((rates) => rates);
export const saveRates = saved.save;
