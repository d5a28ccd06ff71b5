import { nextTurn } from '../../domain/loop-turns.ts';

/** Items examined without a pause: some milliseconds if each check is slow. */
const ITEMS_AT_ONCE = 2_000;

/** Examines many items in many short slices of the event loop instead of a long one. */
export async function eachInSlices<T>(items: Iterable<T>, look: (item: T) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    look(item);
    count += 1;
    if (count % ITEMS_AT_ONCE === 0) await nextTurn();
  }
}

export async function filterInSlices<T>(
  items: Iterable<T>,
  fits: (item: T) => boolean,
): Promise<T[]> {
  const fitting: T[] = [];
  await eachInSlices(items, (item) => {
    if (fits(item)) fitting.push(item);
  });
  return fitting;
}

/**
 * Items that are nearly in order, like those sorted a moment ago, cost little more than one pass.
 */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
    runs.push(items.slice(start, start + ITEMS_AT_ONCE).sort(compare));
    if (items.length > ITEMS_AT_ONCE) await nextTurn();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Equal items of the first run come first. */
async function merge<T>(a: T[], b: T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const [lastOfA] = a.slice(-1);
  const [firstOfB] = b;
  if (lastOfA === undefined || firstOfB === undefined) return a.length > 0 ? a : b;
  if (compare(lastOfA, firstOfB) <= 0) return a.concat(b);
  const merged: T[] = [];
  for (let left = 0, right = 0; left < a.length || right < b.length; ) {
    const one = a[left];
    const other = b[right];
    const takesOther = one === undefined || (other !== undefined && compare(one, other) > 0);
    merged.push((takesOther ? other : one) as T);
    if (takesOther) right += 1;
    else left += 1;
    if (merged.length % ITEMS_AT_ONCE === 0) await nextTurn();
  }
  return merged;
}
