const PREFIX = '#/components/schemas/';

/** The names of all records that parts of the document refer to, also by way of others. */
export function recordsIn(
  parts: unknown,
  schemas: Readonly<Record<string, unknown>>,
  found: Set<string> = new Set(),
): Set<string> {
  if (typeof parts !== 'object' || parts === null) return found;
  for (const [key, part] of Object.entries(parts)) {
    const name = key === '$ref' ? recordOf(part) : undefined;
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      recordsIn(schemas[name], schemas, found);
    } else if (key !== 'example') recordsIn(part, schemas, found);
  }
  return found;
}

/** The record that a reference names. */
export const recordOf = (reference: unknown): string | undefined =>
  typeof reference === 'string' && reference.startsWith(PREFIX)
    ? reference.slice(PREFIX.length)
    : undefined;
