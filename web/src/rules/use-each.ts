import { useEffect, useRef, useState } from 'react';

export type Outcome<T> = { done: T } | { error: unknown };

/** Works through ids one after another, and reports each outcome so far. */
export function useEach<T>(work: (id: string, signal: AbortSignal) => Promise<T>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome<T>>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (ids: readonly string[]): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setBusy(true);
    setOutcomes(new Map());
    for (const id of ids) {
      const outcome = await work(id, signal).then(
        (done): Outcome<T> => ({ done }),
        (error: unknown): Outcome<T> => ({ error }),
      );
      if (signal.aborted) return;
      setOutcomes((all) => new Map(all).set(id, outcome));
    }
    setBusy(false);
  };
  return { outcomes, isBusy, run };
}
