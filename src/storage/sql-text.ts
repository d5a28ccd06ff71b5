/** Rows of one statement: two sizes only, so that few statements are prepared. */
const ROWS_PER_STATEMENT = 100;

/** `($1, $2), ($3, $4)` */
export function tuples(rows: number, columns: number): string {
  return Array.from({ length: rows }, (_, row) => `(${places(row * columns + 1, columns)})`).join(
    ', ',
  );
}

/** `$1, $2` */
export const places = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ');

/** Runs over slices of a hundred, then one by one. */
export async function inSlices<T>(
  items: readonly T[],
  run: (slice: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; ) {
    const count = items.length - start >= ROWS_PER_STATEMENT ? ROWS_PER_STATEMENT : 1;
    await run(items.slice(start, start + count));
    start += count;
  }
}
