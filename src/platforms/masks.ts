/** A comma list of masks: `*` for any text, `!` in front to exclude. */
export function matchesMasks(name: string, masks: string): boolean {
  let matched = false;
  for (const mask of masks.split(',')) {
    const isNegative = mask.startsWith('!');
    const [first = '', ...parts] = (isNegative ? mask.slice(1) : mask).split('*');
    if (matchesParts(name, first, parts)) matched = !isNegative;
  }
  return matched;
}

/** By hand, because a regular expression from a user's text could take for ever. */
function matchesParts(name: string, first: string, parts: readonly string[]): boolean {
  if (parts.length === 0) return name === first;
  if (!name.startsWith(first)) return false;
  let place = first.length;
  for (const part of parts.slice(0, -1)) {
    const found = name.indexOf(part, place);
    if (found < 0) return false;
    place = found + part.length;
  }
  const last = parts.at(-1) ?? '';
  return name.length - place >= last.length && name.endsWith(last);
}
