/**
 * How many places in a row, from 0 on, are of the first kind, if all of them come before the
 * others: found by halving. `isFirst` is asked of places below `length` only.
 */
export function countFirst(length: number, isFirst: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isFirst(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
