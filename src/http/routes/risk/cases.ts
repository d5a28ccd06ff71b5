import type { FastifyInstance } from 'fastify';
import {
  listSealsOperation,
  readCaseOperation,
  readEvidenceKeyOperation,
} from '../../../contract/operations/cases.ts';
import { MAX_PAGE } from '../../../contract/primitives.ts';
import { type CaseContext, readCase, readSeals } from '../../../services/evidence/read-cases.ts';
import { addRoute } from '../../add-route.ts';
import { answerComputing } from '../../computing.ts';

/** Open positions are folded for each. */
const CASE_SHARES = { process: 32, user: 16, token: 8 };
const RETRY_AFTER_SECONDS = 1;

export function registerCases(server: FastifyInstance, context: CaseContext): void {
  const places = server.places.create(
    'cases',
    'case files at a time',
    CASE_SHARES,
    RETRY_AFTER_SECONDS,
  );
  addRoute(
    server,
    readCaseOperation,
    async ({ principal, params, reply }) => {
      const answer = await readCase(context, principal, params.sequenceNumber);
      return answer.ready ? answer.file : answerComputing(reply, answer.retryAfterSeconds);
    },
    { places },
  );
  addRoute(server, listSealsOperation, ({ principal, query }) =>
    readSeals(context, principal, query.fromPlace ?? 1, query.limit ?? MAX_PAGE),
  );
  addRoute(server, readEvidenceKeyOperation, () => context.evidenceKeys.publish());
}
