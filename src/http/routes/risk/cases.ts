import type { FastifyInstance } from 'fastify';
import {
  listSealsOperation,
  readCaseOperation,
  readEvidenceKeyOperation,
} from '../../../contract/operations/cases.ts';
import { MAX_PAGE } from '../../../contract/primitives.ts';
import { type CaseContext, readCase, readSeals } from '../../../services/evidence/read-cases.ts';
import { addRoute } from '../../add-route.ts';

export function registerCases(server: FastifyInstance, context: CaseContext): void {
  addRoute(server, readCaseOperation, ({ principal, params }) =>
    readCase(context, principal, params.sequenceNumber),
  );
  addRoute(server, listSealsOperation, ({ principal, query }) =>
    readSeals(context, principal, query.fromPlace ?? 1, query.limit ?? MAX_PAGE),
  );
  addRoute(server, readEvidenceKeyOperation, async () => ({
    publicKey: await context.evidenceKey.publicKey(),
  }));
}
