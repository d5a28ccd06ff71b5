import type { OpenApiDocument } from './document.ts';
import { recordOf } from './records-in.ts';
import { freeName } from './share-parameters.ts';

type Json = Record<string, unknown>;

/** Writes answers that several operations give alike once, under the names of what they hold. */
export function shareAnswers({ paths, components }: OpenApiDocument): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const answers = operations.flatMap(({ responses }) => Object.values(responses));
  const uses = Map.groupBy(
    answers.filter(({ content }) => content !== undefined),
    (answer) => JSON.stringify(answer),
  );
  const references = new Map<string, Json>();
  for (const [text, [first, ...more]] of uses) {
    const record = first && recordIn(first);
    if (!record || more.length === 0) continue;
    const name = freeName(record, components.responses);
    components.responses[name] = first;
    references.set(text, { $ref: `#/components/responses/${name}` });
  }
  for (const { responses } of operations) {
    for (const [status, answer] of Object.entries(responses)) {
      responses[status] = references.get(JSON.stringify(answer)) ?? answer;
    }
  }
}

type Media = { schema?: { $ref?: string; items?: { $ref?: string } } };

/** The record that an answer holds, `…List` for many. */
function recordIn({ content }: Json): string | undefined {
  const { schema } = (content as Record<string, Media>)['application/json'] ?? {};
  const [record] = [schema?.$ref, schema?.items?.$ref].flatMap((each) => recordOf(each) ?? []);
  return record && schema?.items ? `${record}List` : record;
}
