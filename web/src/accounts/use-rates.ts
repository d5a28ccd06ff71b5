import { useSyncExternalStore } from 'react';

const KEY = 'plimsoll-rates';

/** Rates as typed, by `EUR/USD`, and the currency that all is summed up in; this browser's. */
export type SavedRates = { base: string; rates: Record<string, string> };

const listeners = new Set<() => void>();
let saved = read();

function read(): SavedRates {
  const none: SavedRates = { base: '', rates: {} };
  try {
    return { ...none, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return none;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useRates = (): SavedRates => useSyncExternalStore(subscribe, () => saved);

export function saveRates(next: SavedRates): void {
  saved = next;
  localStorage.setItem(KEY, JSON.stringify(next));
  for (const listener of listeners) listener();
}
