import { kept } from '../lib/kept.ts';

/** Rates as typed, by `EUR/USD`, and the currency that all is summed up in; this browser's. */
export type SavedRates = { base: string; rates: Record<string, string> };

const saved = kept<SavedRates>('plimsoll-rates', { base: '', rates: {} });

export const useRates = (): SavedRates => saved.useKept((rates) => rates);
export const saveRates = saved.save;
