import { useSyncExternalStore } from 'react';

type ToastItem = { id: number; text: string; tone: 'good' | 'bad' };

const SHOWN_MS = 6_000;
const MAX_SHOWN = 4;
let items: readonly ToastItem[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly ToastItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

/** Says briefly that something is done. Failures are shown next to their cause: ErrorNote. */
export function showToast(text: string, tone: ToastItem['tone'] = 'good'): void {
  const item = { id: nextId, text, tone };
  nextId += 1;
  change([...items, item].slice(-MAX_SHOWN));
  setTimeout(() => change(items.filter(({ id }) => id !== item.id)), SHOWN_MS);
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => items,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((item) => (
        <div key={item.id} className={`toast toast-${item.tone}`}>
          {item.text}
        </div>
      ))}
    </div>
  );
}
