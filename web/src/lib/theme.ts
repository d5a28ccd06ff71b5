import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'plimsoll-theme';
const listeners = new Set<() => void>();
let theme: Theme = (localStorage.getItem(KEY) as Theme | null) ?? 'system';

export function applyTheme(): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function setTheme(next: Theme): void {
  theme = next;
  localStorage.setItem(KEY, next);
  applyTheme();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  listeners.add(listener);
  media.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    media.removeEventListener('change', listener);
  };
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => theme);

/**
 * Whether dark colours are shown now, whatever decided it. Charts read their colours again on a
 * change.
 */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () =>
    theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark',
  );
