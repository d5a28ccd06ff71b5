import { useState } from 'react';

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
};

/**
 * The fields of a form over a record that others may change while it is open. It never holds a copy
 * of the record: an untouched field follows it, and is not sent.
 */
export function useEdits<T extends object>(stored: T): Edits<T> {
  const [edits, setEdits] = useState<Partial<T>>({});
  const [before, setBefore] = useState<Partial<T>>({});
  const keys = Object.keys(edits) as (keyof T)[];
  const differing = keys.filter((key) => edits[key] !== stored[key]);
  return {
    form: { ...stored, ...edits },
    changed: Object.fromEntries(differing.map((key) => [key, edits[key]])) as Partial<T>,
    overtaken: differing.filter((key) => before[key] !== stored[key]),
    change: (changes) => {
      setEdits((edited) => ({ ...edited, ...changes }));
      const touched = Object.keys(changes) as (keyof T)[];
      const seen = touched.map((key) => [key, stored[key]]);
      setBefore((known) => ({ ...(Object.fromEntries(seen) as Partial<T>), ...known }));
    },
    drop: () => {
      setEdits({});
      setBefore({});
    },
  };
}

/** What is typed into a form over nothing that is stored. */
export function useTyped<T extends object>(start: T | (() => T)) {
  const [form, setForm] = useState(start);
  const change = (changes: Partial<T>): void => setForm((typed) => ({ ...typed, ...changes }));
  return { form, change };
}
