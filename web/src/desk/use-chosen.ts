import { useCallback, useRef, useState } from 'react';

/** Some of a list's rows, chosen one by one, or up to another with Shift. */
export function useChosen(ids: readonly number[]) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const known = useRef({ ids, last: undefined as number | undefined });
  known.current.ids = ids;
  const here = new Set(ids);
  const set = useCallback((some: readonly number[], isOn: boolean): void => {
    setChosen((before) => {
      const next = new Set(before);
      for (const id of some) {
        if (isOn) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  }, []);
  const choose = useCallback(
    (id: number, isOn: boolean, upTo: boolean): void => {
      const { ids, last } = known.current;
      const [from, to] = [ids.indexOf(last ?? id), ids.indexOf(id)].sort((a, b) => a - b);
      known.current.last = id;
      set(upTo && from !== undefined && from >= 0 ? ids.slice(from, (to ?? 0) + 1) : [id], isOn);
    },
    [set],
  );
  return {
    /** Those that are still listed. */
    chosen: new Set([...chosen].filter((id) => here.has(id))),
    choose,
    set,
    clear: () => setChosen(new Set()),
  };
}
