import { useSyncExternalStore } from 'react';

const KEY = 'plimsoll-tour';

const listeners = new Set<() => void>();
let isSeen = localStorage.getItem(KEY) === 'seen';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether somebody took the tour in this browser, or said that they want none. */
export const useIsTourSeen = (): boolean => useSyncExternalStore(subscribe, () => isSeen);

export function markTourSeen(): void {
  isSeen = true;
  localStorage.setItem(KEY, 'seen');
  for (const listener of listeners) listener();
}
