import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';

type ToastItem = {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  /** Takes back what was done, or says in its rejection why not; absent where that can't be. */
  undo?: (() => Promise<unknown>) | undefined;
};

/** The same for all: the oldest, on the left, leaves first, and no button moves. */
const SHOWN_MS = 10_000;
const MAX_SHOWN = 4;
let items: readonly ToastItem[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly ToastItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

const drop = (item: ToastItem): void => change(items.filter((each) => each !== item));
const dropLater = (item: ToastItem): unknown => setTimeout(() => drop(item), SHOWN_MS);

/** Says briefly that something is done. Failures are shown next to their cause: ErrorNote. */
export function showToast(
  text: string,
  { tone = 'good', undo }: Partial<Pick<ToastItem, 'tone' | 'undo'>> = {},
): void {
  const item = { id: nextId, text, tone, undo };
  nextId += 1;
  change([...items, item].slice(-MAX_SHOWN));
  dropLater(item);
}

/** Takes back what was done last, while that is offered. */
export function undoNewest(): void {
  const item = items.findLast(({ undo }) => undo);
  if (item) undoItem(item);
}

/** What came of it stands in its place: a second click there does not meet another one. */
function undoItem({ id, undo }: ToastItem): void {
  const say = (text: string, tone: ToastItem['tone'] = 'good'): void => {
    const item = { id, text, tone };
    const isHere = items.some((each) => each.id === id);
    change(isHere ? items.map((each) => (each.id === id ? item : each)) : [...items, item]);
    dropLater(item);
  };
  say('Undoing …');
  undo?.().then(
    () => say('Undone'),
    ({ message }: Error) => say(`Not undone: ${message}`, 'bad'),
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
          {item.undo ? <Undo item={item} /> : null}
        </div>
      ))}
    </div>
  );
}

/** Less than people need to see that what stands here is another one. */
const ARRIVING_MS = 500;

/** It takes the place of the one before, which somebody may be about to press. */
function Undo({ item }: { item: ToastItem }) {
  const [isArriving, setArriving] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setArriving(false), ARRIVING_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Button size="small" disabled={isArriving} onClick={() => undoItem(item)}>
      Undo
    </Button>
  );
}
