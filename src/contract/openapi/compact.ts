import type { OpenApiDocument } from './document.ts';
import { extendRecords } from './extend-records.ts';
import { openAnswers } from './open-answers.ts';
import { shareExamples } from './share-examples.ts';

/**
 * The document as generators read it: what several places repeat is said in one of them. The page for
 * people shows every place in full.
 */
export function compactDocument(document: OpenApiDocument): OpenApiDocument {
  const compact = structuredClone(document);
  openAnswers(compact);
  shareExamples(compact);
  extendRecords(compact.components.schemas);
  sayOnce(compact.components.schemas);
  return compact;
}

type Fields = Record<string, { description?: string }>;

/** Words of a field that are those of a field of the same name in a record before are left out. */
function sayOnce(schemas: OpenApiDocument['components']['schemas']): void {
  const said = new Set<string>();
  for (const { properties = {} } of Object.values(schemas)) {
    for (const [name, field] of Object.entries(properties as Fields)) {
      if (field.description === undefined) continue;
      const words = `${name}: ${field.description}`;
      if (said.has(words)) delete field.description;
      said.add(words);
    }
  }
}
