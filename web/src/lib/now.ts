import { useSyncExternalStore } from 'react';

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    nowMs = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The current time, updated each second; all ages of a page tick together. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => nowMs);

/** Whether a moment is past; what asks is redrawn only when it has passed. */
export const useIsPast = (momentMs: number): boolean =>
  useSyncExternalStore(subscribe, () => nowMs > momentMs);
