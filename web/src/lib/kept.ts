import { useSyncExternalStore } from 'react';

/** Settings that this browser keeps under a key, on top of those to begin with. */
export function kept<Settings extends object>(key: string, start: Settings) {
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const notice = (): void => {
    for (const listener of listeners) listener();
  };
  const stored = (): Settings => {
    try {
      return { ...start, ...JSON.parse(localStorage.getItem(key) ?? '{}') };
    } catch {
      return start;
    }
  };
  let now = stored();
  return {
    read: (): Settings => now,
    save: (next: Settings): void => {
      now = next;
      localStorage.setItem(key, JSON.stringify(next));
      notice();
    },
    /** Draws anew what follows from the settings, or what `notice` tells. */
    useKept: <Value>(follow: (settings: Settings) => Value): Value =>
      useSyncExternalStore(subscribe, () => follow(now)),
    notice,
  };
}
