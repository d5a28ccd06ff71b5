import { useEffect, useRef } from 'react';

/** What keys do: what listens to them and the help of keys are made from this, in this order. */
export const KEYS = {
  next: { key: 'J', words: 'Next incident' },
  previous: { key: 'K', words: 'Previous incident' },
  open: { key: 'Enter', words: 'Its details' },
  acknowledge: { key: 'A', words: 'Acknowledge it, or open it again' },
  assign: { key: 'M', words: 'Mine: take it, or give it back' },
  annotate: { key: 'N', words: 'Note on it' },
  evidence: { key: 'E', words: 'Its evidence' },
  choose: { key: 'X', words: 'Choose it' },
  chooseAccount: { key: 'S', words: 'Choose all of its account' },
  undo: { key: 'U', words: 'Undo what was done last' },
  take: { key: 'Home', words: 'Take in new ones' },
  group: { key: 'G', words: 'Choose a group of accounts' },
  jump: { key: 'Ctrl+K', words: 'Go to an account or page' },
  send: { key: 'Ctrl+Enter', words: 'Send the form that is being filled in' },
  help: { key: '?', words: 'Show these keys' },
} as const;
export type KeyName = keyof typeof KEYS;
const NAMES = Object.keys(KEYS) as KeyName[];

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;
/** What it does; false leaves the key to the browser. */
type Does = Partial<Record<KeyName, (event: KeyboardEvent) => unknown>>;

/** On a Mac, ⌘ is its Ctrl. */
export function nameOf({ key, ctrlKey, metaKey, altKey }: Press): KeyName | undefined {
  const pressed = `${ctrlKey || metaKey ? 'Ctrl+' : ''}${key.length === 1 ? key.toUpperCase() : key}`;
  return altKey ? undefined : NAMES.find((name) => KEYS[name].key === pressed);
}

const listening = new Set<{ current: Does }>();

/** Those that something on the page listens to now; a form does so while it is filled in. */
export const keysNow = (): KeyName[] =>
  NAMES.filter((name) => name === 'send' || [...listening].some(({ current }) => current[name]));

/** Listens to keys while it is on the page. */
export function useKeys(does: Does): void {
  const newest = useRef(does);
  newest.current = does;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const name = nameOf(event);
      const act = name && newest.current[name];
      if (!act || isTaken(event)) return;
      if (act(event) !== false) event.preventDefault();
    };
    listening.add(newest);
    addEventListener('keydown', press);
    return () => {
      listening.delete(newest);
      removeEventListener('keydown', press);
    };
  }, []);
}

const TEXT = 'textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"])';

/** Whether a key is text for a field, or for an open dialog. */
function isTaken({ isComposing, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const isText = target instanceof Element && target.closest(TEXT) !== null;
  const isTyped = isComposing || (isText && !ctrlKey && !metaKey);
  return isTyped || document.querySelector('dialog[open]') !== null;
}
