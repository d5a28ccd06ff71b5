import type { OpenApiDocument } from './document.ts';
import { extendRecords } from './extend-records.ts';
import { leaveOutBounds } from './leave-out-bounds.ts';
import { leaveOutWords } from './leave-out-words.ts';
import { shareAnswers } from './share-answers.ts';
import { shareExamples } from './share-examples.ts';
import { shortenExamples } from './shorten-examples.ts';

const IN_FULL =
  'The bounds of values and the words of every field are left out here: see /docs, or what `plimsoll openapi` prints.';

/**
 * The document as it is served, small enough for every tool: what several places repeat stands in
 * one of them, what only the server checks is left out, and so are the operations that old clients
 * use. The page for people and `plimsoll openapi` show every place in full. In steps, as a server
 * makes it while others wait for their answers.
 */
export function* compactDocument(document: OpenApiDocument): Generator<undefined, OpenApiDocument> {
  const compact = structuredClone(document);
  compact.info.description += `\n\n${IN_FULL}`;
  leaveOutDeprecated(compact);
  leaveOutFailures(compact);
  for (const step of STEPS) {
    yield;
    step(compact);
  }
  return compact;
}

/** In this order. */
const STEPS: readonly ((document: OpenApiDocument) => void)[] = [
  leaveOutBounds,
  shareExamples,
  shortenExamples,
  leaveOutWords,
  ({ components }) => extendRecords(components.schemas),
  shareAnswers,
];

function leaveOutDeprecated({ paths }: OpenApiDocument): void {
  for (const methods of Object.values(paths)) {
    for (const [method, { deprecated }] of Object.entries(methods)) {
      if (deprecated) delete methods[method];
    }
  }
}

/** That any operation may fail, and how, is said of all. */
function leaveOutFailures({ paths, components }: OpenApiDocument): void {
  delete components.responses.Failed;
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    delete responses['5XX'];
  }
}
