import type { OpenApiDocument } from './document.ts';
import { recordsIn } from './records-in.ts';

/** What a client checks before it sends; of an answer it need not. */
const BOUNDS = new Set([
  ...['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['maxItems', 'uniqueItems'],
]);

/**
 * Leaves out what bounds answers: clients must take what comes, also fields that are added later. Of
 * requests the bounds stay; that they have no other fields is said once, for all.
 */
export function openAnswers({ paths, components }: OpenApiDocument): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const sent = recordsIn(
    [
      components.parameters,
      operations.map(({ parameters, requestBody }) => [parameters, requestBody]),
    ],
    components.schemas,
  );
  for (const [name, schema] of Object.entries(components.schemas)) {
    strip(schema, sent.has(name) ? isClosed : isBound);
  }
  for (const { requestBody, responses } of operations) {
    strip(requestBody, isClosed);
    strip(responses, isBound);
  }
}

const isClosed = (keyword: string): boolean => keyword === 'additionalProperties';
const isBound = (keyword: string): boolean => isClosed(keyword) || BOUNDS.has(keyword);

function strip(value: unknown, isNoise: (keyword: string) => boolean): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (isNoise(key)) delete (value as Record<string, unknown>)[key];
    else if (key === 'properties') {
      // A field may be called like a keyword.
      for (const field of Object.values(part)) strip(field, isNoise);
    } else if (key !== 'example') strip(part, isNoise);
  }
}
