/** Longer names would cost the square of their length. */
const [MIN_LENGTH, MAX_LENGTH] = [3, 64];

/**
 * The known name that was probably intended: at most one letter in four is wrong, missing or too
 * many.
 */
export function nearestOf(name: string, known: Iterable<string>): string | undefined {
  if (name.length < MIN_LENGTH || name.length > MAX_LENGTH) return undefined;
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 4)) + 1;
  for (const candidate of known) {
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase());
    if (distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

/** Levenshtein's distance: letters to replace, leave out or add. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** `is not known`, with the name that was probably intended. */
export function unknownName(name: string, known: Iterable<string>): string {
  const nearest = nearestOf(name, known);
  return nearest === undefined ? 'is not known' : `is not known; did you mean ${nearest}?`;
}
