import { useSyncExternalStore } from 'react';
import { Button } from './button.tsx';

type ToastItem = {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  /** Takes back what was done, or says in its rejection why not; absent where that can't be. */
  undo?: (() => Promise<unknown>) | undefined;
};

const SHOWN_MS = 6_000;
const UNDO_MS = 10_000;
const MAX_SHOWN = 4;
let items: readonly ToastItem[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly ToastItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

const drop = (id: number): void => change(items.filter((each) => each.id !== id));

/** Says briefly that something is done. Failures are shown next to their cause: ErrorNote. */
export function showToast(
  text: string,
  { tone = 'good', undo }: Partial<Pick<ToastItem, 'tone' | 'undo'>> = {},
): void {
  const item = { id: nextId, text, tone, undo };
  nextId += 1;
  change([...items, item].slice(-MAX_SHOWN));
  setTimeout(() => drop(item.id), undo ? UNDO_MS : SHOWN_MS);
}

/** Takes back what was done last, while that is offered. */
export function undoNewest(): void {
  const item = items.findLast(({ undo }) => undo);
  if (item) undoItem(item);
}

function undoItem({ id, undo }: ToastItem): void {
  drop(id);
  undo?.().then(
    () => showToast('Undone'),
    ({ message }: Error) => showToast(`Not undone: ${message}`, { tone: 'bad' }),
  );
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
          {item.undo ? (
            <Button size="small" onClick={() => undoItem(item)}>
              Undo
            </Button>
          ) : null}
        </div>
      ))}
    </div>
  );
}
