import type { OpenApiDocument } from './document.ts';

const BOUNDS = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'minProperties', 'minItems', 'maxItems'],
  ...['minLength', 'maxLength', 'pattern', 'uniqueItems', 'additionalProperties'],
]);
/** The least and most of a page, and of seconds to wait, are what clients page and wait by. */
const OF_PARAMETERS = new Set(['minimum', 'maximum']);

/**
 * Leaves out how long, large or many values may be. The server checks requests and names every
 * fault; clients must take what comes, also fields that are added later.
 */
export function leaveOutBounds({ paths, components }: OpenApiDocument): void {
  strip(components.schemas, BOUNDS);
  strip(components.parameters, BOUNDS.difference(OF_PARAMETERS));
  for (const methods of Object.values(paths)) {
    for (const { parameters, requestBody, responses } of Object.values(methods)) {
      delete requestBody?.description;
      strip(parameters, BOUNDS.difference(OF_PARAMETERS));
      strip([requestBody, responses], BOUNDS);
    }
  }
}

function strip(value: unknown, noise: ReadonlySet<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (noise.has(key) || part === Number.MAX_SAFE_INTEGER)
      delete (value as Record<string, unknown>)[key];
    else if (key === 'properties') {
      // A field may be called like a keyword.
      for (const field of Object.values(part)) strip(field, noise);
    } else if (key !== 'example') strip(part, noise);
  }
}
