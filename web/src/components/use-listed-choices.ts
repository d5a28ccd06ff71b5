import { type KeyboardEvent, useEffect, useState } from 'react';

export type Choice = { id: string; title: string; hint?: string };

/** The list of a combobox: whether it is open, its active choice, and its keys. */
export function useListedChoices(props: {
  choices: readonly Choice[];
  isBehind?: boolean;
  isInline?: boolean;
  choose: (choice: Choice) => void;
}) {
  const { choices, isBehind = false, isInline = false } = props;
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [isEntered, setEntered] = useState(false);
  const active = choices[Math.min(at, choices.length - 1)];
  const isShown = isInline || isOpen;
  const take = (choice: Choice): void => {
    setOpen(false);
    props.choose(choice);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the choices are right
  useEffect(() => {
    if (!isEntered || isBehind) return;
    setEntered(false);
    if (isShown && active) take(active);
  }, [isEntered, isBehind]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((Math.min(at, choices.length - 1) + step + choices.length) % (choices.length || 1));
    } else if (event.key === 'Enter' && isShown && (active || isBehind)) {
      event.preventDefault();
      setEntered(true);
    } else if (event.key === 'Escape' && isOpen && !isInline) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  /** Another text has other choices; the first is active. */
  const begin = (): void => {
    setOpen(true);
    setAt(0);
    setEntered(false);
  };
  const close = (): void => {
    setOpen(false);
    setEntered(false);
  };
  return { isShown, active, press, take, begin, open: () => setOpen(true), close };
}
