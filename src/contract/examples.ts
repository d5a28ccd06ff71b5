import { readFileSync } from 'node:fs';

/** A request as the reference shows it, and its answer. */
export type Example = {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  headers?: Readonly<Record<string, string | number>>;
  /** A text is a file or NDJSON, anything else JSON. */
  body?: unknown;
  /** Absent where the answer has no body; a text where it is no JSON. */
  answer?: unknown;
};
export type Examples = Readonly<Record<string, Example>>;

export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url);

/**
 * An example of every operation by its id, in the order of the story that they tell. The requests
 * are written by hand; `test/acceptance/examples.test.ts` sends them and records the answers.
 */
export const readExamples = (): Examples =>
  JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
