import { readFileSync } from 'node:fs';

/** An example of a request and its answer, as shown in the reference. */
export type Example = {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  headers?: Readonly<Record<string, string | number>>;
  /** Text for a file or NDJSON, JSON for anything else. */
  body?: unknown;
  /** Absent if the answer has no body; text if it is not JSON. */
  answer?: unknown;
};
export type Examples = Readonly<Record<string, Example>>;

export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url);

/**
 * An example of every operation by its id, in the order of their story. The requests are written by
 * hand; `test/acceptance/examples.test.ts` sends them and records the answers.
 */
export const readExamples = (): Examples =>
  JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
