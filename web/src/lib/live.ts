/**
 * Whether changes are told as they happen (`followStanding`), so that pages need not ask. They
 * still do so now and then: what depends on the time alone is told by nobody.
 */
let isLive = false;
const listeners = new Set<() => void>();
const SELDOM_MS = 30_000;

export function setLive(next: boolean): void {
  if (next === isLive) return;
  isLive = next;
  for (const listener of listeners) listener();
}

/** Called when changes are no longer told. */
export function onSilence(heard: () => void): () => void {
  const listener = (): void => {
    if (!isLive) heard();
  };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For `refetchInterval`: how often to ask for what is told as it changes. */
export const unlessTold = (everyMs: number) => (): number =>
  isLive ? Math.max(SELDOM_MS, everyMs) : everyMs;
