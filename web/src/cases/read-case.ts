import type {
  CaseAnnex,
  CaseFile,
  CaseStatement,
  readCaseOperation,
} from '../../../src/contract/operations/cases.ts';
import { ApiError, call } from '../lib/api.ts';

const MAX_WAITS = 20;
const WAIT_MS = 1_000;

/** A case file, and what its sealed and signed texts say. */
export type ReadCase = { file: CaseFile; statement: CaseStatement; annex: CaseAnnex };

/** The case file of an event; waits until it is sealed, and the open positions are computed. */
export async function readCase(sequenceNumber: string, signal?: AbortSignal): Promise<ReadCase> {
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const answer = await call<typeof readCaseOperation>(
      'GET /users/current/tracker-events/:sequenceNumber/case',
      { params: { sequenceNumber } },
      signal,
    ).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 409) return undefined;
      throw error;
    });
    if (answer && 'statement' in answer) {
      const statement = JSON.parse(answer.statement) as CaseStatement;
      return { file: answer, statement, annex: JSON.parse(answer.annex) as CaseAnnex };
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw new ApiError(0, 'The case file is still being made');
}
