import type { CaseFile, readCaseOperation } from '../../../src/contract/operations/cases.ts';
import { ApiError, call } from '../lib/api.ts';

const MAX_WAITS = 20;
const WAIT_MS = 1_000;

/** The case file of an event; waits until it is sealed, and the open positions are computed. */
export async function readCase(sequenceNumber: string, signal?: AbortSignal): Promise<CaseFile> {
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const answer = await call<typeof readCaseOperation>(
      'GET /users/current/tracker-events/:sequenceNumber/case',
      { params: { sequenceNumber } },
      signal,
    ).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 409) return undefined;
      throw error;
    });
    if (answer && 'statement' in answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw new ApiError(0, 'The case file is still being made');
}
