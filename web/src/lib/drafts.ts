import { useState } from 'react';
import { useCurrentToken } from '../shell/use-current-token.ts';

/** What a form tells of a text that was typed, and not sent, before. */
export type Draft = {
  /** It stands in the fields again. */
  isBack: boolean;
  /** It was sent, or is not wanted any more. */
  forget: () => void;
  /** The fields are as if nothing had been typed. */
  startAnew: () => void;
};

const PREFIX = 'plimsoll-draft';
/** A longer text is not kept: a tab has some megabytes for all. */
const MOST_LENGTH = 100_000;

function read<T extends object>(key: string): Partial<T> | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, typed: object): void {
  const text = JSON.stringify(typed);
  try {
    if (text === '{}' || text.length > MOST_LENGTH) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // The tab has no room: what is typed stays in its field.
  }
}

/**
 * What was typed under a name, in this tab: it outlives a dialog that is closed and a page that is
 * loaded again, until it is sent. Without a name nothing is kept; secrets must have none. What is
 * kept belongs to the user who typed it.
 */
export function useDraft<T extends object>(name: string | undefined) {
  const userId = useCurrentToken()?.userId ?? '';
  const key = name === undefined ? undefined : `${PREFIX} ${userId} ${name}`;
  const [start] = useState(() => (key === undefined ? undefined : read<T>(key)));
  const [isBack, setBack] = useState(start !== undefined);
  const forget = (): void => {
    if (key !== undefined) sessionStorage.removeItem(key);
    setBack(false);
  };
  return {
    start,
    isBack,
    forget,
    /** With each change. */
    keep: (typed: Partial<T>): void => {
      if (key !== undefined) write(key, typed);
    },
  };
}
