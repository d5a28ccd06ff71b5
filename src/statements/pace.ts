import { WORK_SLICE_MS } from './limits.ts';

/** Gives the event loop its turn between slices of work, and tells how far the work is. */
export type Pace = {
  /** A promise to await when it is time to let others work, else undefined. */
  step(doneShare: number): Promise<void> | undefined;
};

export function createPace(onProgress: ((doneShare: number) => void) | undefined): Pace {
  let sliceStart = performance.now();
  let furthest = 0;
  return {
    step(doneShare) {
      if (performance.now() - sliceStart < WORK_SLICE_MS) return undefined;
      furthest = Math.max(furthest, Math.min(1, doneShare));
      onProgress?.(furthest);
      return new Promise((resolve) => {
        setImmediate(() => {
          sliceStart = performance.now();
          resolve();
        });
      });
    },
  };
}

/** Runs `visit` for each item, pausing as the pace asks; the done share goes from `from` to `to`. */
export async function forEachPaced<Item>(
  items: readonly Item[],
  pace: Pace,
  share: { from: number; to: number },
  visit: (item: Item, index: number) => void,
): Promise<void> {
  const stride = 256;
  for (let start = 0; start < items.length; start += stride) {
    const end = Math.min(items.length, start + stride);
    for (let index = start; index < end; index++) visit(items[index] as Item, index);
    const wait = pace.step(share.from + ((share.to - share.from) * end) / items.length);
    if (wait) await wait;
  }
}
