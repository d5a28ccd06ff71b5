import type { components } from './schema.ts';

type ErrorAnswers = components['responses'];

/** One of the error records: `error` names the record, and so its fields. */
export type ErrorRecord = ErrorAnswers[keyof ErrorAnswers]['content']['application/json'];

/** A request that the server refused, with its error record. */
export class PlimsollError extends Error {
  readonly status: number;
  /**
   * `id` finds the occurrence in the server's log; `details` of a ValidationError name every fault.
   */
  readonly record: ErrorRecord | undefined;

  constructor(status: number, record: ErrorRecord | undefined) {
    super(record ? `${record.error}: ${record.message}` : `The server answered ${status}`);
    this.name = 'PlimsollError';
    this.status = status;
    this.record = record;
  }
}

type Answer<Data> = { data?: Data; error?: unknown; response: Response };

/** The body of a successful answer. Throws PlimsollError for every other. */
export async function dataOf<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer;
  if (response.ok && data !== undefined) return data;
  const isRecord = typeof error === 'object' && error !== null && 'message' in error;
  throw new PlimsollError(response.status, isRecord ? (error as ErrorRecord) : undefined);
}
