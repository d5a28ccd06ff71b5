import type { OpenApiDocument } from './document.ts';
import { recordOf } from './records-in.ts';

type Media = {
  schema?: { $ref?: string; items?: { $ref?: string } };
  example?: unknown;
};
type Content = Record<string, Media>;

/**
 * Moves the examples of records to the records: each is shown once, and answers every operation
 * that takes or gives it, alone or as the row of a list.
 */
export function shareExamples({ paths, components }: OpenApiDocument): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { requestBody = {}, responses } of operations) {
    for (const { content } of [requestBody, ...Object.values(responses)]) {
      for (const media of Object.values((content ?? {}) as Content)) {
        const { schema, example } = media;
        const record = recordOf(schema?.$ref ?? schema?.items?.$ref);
        const row = schema?.items && Array.isArray(example) ? example[0] : example;
        const own = components.schemas[record ?? ''];
        if (!own || row === undefined) continue;
        own.examples ??= [row];
        delete media.example;
      }
    }
  }
}
