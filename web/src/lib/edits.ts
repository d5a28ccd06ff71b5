import { useState } from 'react';
import { type Draft, useDraft } from './drafts.ts';

/** The server's values under the names of a form, and its user's changes. */
export type Edits<T extends object> = {
  /** The values in the fields: the typed text, or else the server's current value. */
  form: T;
  /** Only the user's changes. A value equal to the server's current one is no change. */
  changed: Partial<T>;
  /** Fields that someone else changed after the user did: saving would overwrite that. */
  overtaken: readonly (keyof T)[];
  change: (changes: Partial<T>) => void;
  /** All values equal the server's. */
  drop: () => void;
  draft: Draft;
};

/**
 * The fields of a form over a record that others may change while it is open. It never holds a copy
 * of the record: an untouched field follows it, and is not sent. What is typed under a name is kept
 * until it is sent.
 */
export function useEdits<T extends object>(stored: T, name?: string): Edits<T> {
  const { start = {}, keep, ...kept } = useDraft<T>(name);
  const [edits, setEdits] = useState<Partial<T>>(start);
  const [before, setBefore] = useState<Partial<T>>(() => pick(stored, Object.keys(start)));
  const drop = (): void => {
    setEdits({});
    setBefore({});
  };
  const keys = Object.keys(edits) as (keyof T)[];
  const differing = keys.filter((key) => edits[key] !== stored[key]);
  return {
    form: { ...stored, ...edits },
    changed: Object.fromEntries(differing.map((key) => [key, edits[key]])) as Partial<T>,
    overtaken: differing.filter((key) => before[key] !== stored[key]),
    change: (changes) => {
      keep({ ...edits, ...changes });
      setEdits((edited) => ({ ...edited, ...changes }));
      const touched = Object.keys(changes) as (keyof T)[];
      const seen = touched.map((key) => [key, stored[key]]);
      setBefore((known) => ({ ...(Object.fromEntries(seen) as Partial<T>), ...known }));
    },
    drop,
    draft: {
      ...kept,
      startAnew: () => {
        kept.forget();
        drop();
      },
    },
  };
}

const pick = <T extends object>(from: T, keys: readonly string[]): Partial<T> =>
  Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key))) as Partial<T>;

/** What is typed into a form over nothing that is stored; under a name, it is kept until sent. */
export function useTyped<T extends object>(start: T | (() => T), name?: string) {
  const [empty] = useState(start);
  const { start: typed, keep, ...kept } = useDraft<T>(name);
  const [form, setForm] = useState<T>({ ...empty, ...typed });
  const change = (changes: Partial<T>): void => {
    keep({ ...form, ...changes });
    setForm((before) => ({ ...before, ...changes }));
  };
  const startAnew = (): void => {
    kept.forget();
    setForm(empty);
  };
  return { form, change, draft: { ...kept, startAnew } };
}
