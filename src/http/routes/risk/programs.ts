import type { FastifyInstance } from 'fastify';
import {
  changeEnrolmentOperation,
  createEnrolmentOperation,
  listEnrolmentsOperation,
  listProgramEnrolmentsOperation,
  previewEnrolmentOperation,
  readEnrolmentOperation,
} from '../../../contract/operations/enrolments.ts';
import {
  createProgramOperation,
  deleteProgramOperation,
  listProgramsOperation,
  MAX_PROGRAM_PAGE,
  readProgramOperation,
  updateProgramOperation,
} from '../../../contract/operations/programs.ts';
import {
  changeEnrolment,
  createEnrolment,
} from '../../../services/enrolments/change-enrolments.ts';
import { enrolmentFaults } from '../../../services/enrolments/define-enrolment.ts';
import { readProgramEnrolments } from '../../../services/enrolments/list-program-enrolments.ts';
import { previewEnrolment } from '../../../services/enrolments/preview-enrolment.ts';
import { readEnrolment, readEnrolments } from '../../../services/enrolments/read-enrolments.ts';
import { programFaults } from '../../../services/programs/define-program.ts';
import {
  createProgram,
  deleteProgram,
  readProgram,
  readPrograms,
  updateProgram,
} from '../../../services/programs/manage-programs.ts';
import { addRoute } from '../../add-route.ts';
import { sendPage } from '../../send-page.ts';

const PREVIEW_SHARES = { process: 8, user: 2, token: 2 };
const RETRY_AFTER_SECONDS = 2;

type ProgramsContext = Parameters<typeof createEnrolment>[0];

export function registerPrograms(server: FastifyInstance, context: ProgramsContext): void {
  addRoute(server, listProgramsOperation, async ({ principal, query, ...call }) => {
    const page = await readPrograms(context, principal, { limit: MAX_PROGRAM_PAGE, ...query });
    return sendPage(call, page, (program) => program);
  });
  addRoute(
    server,
    createProgramOperation,
    ({ principal, body }) => createProgram(context, principal, body),
    { moreFaults: ({ body }) => programFaults(body) },
  );
  addRoute(server, readProgramOperation, ({ principal, params, query }) =>
    readProgram(context, principal, params.programId, query.version),
  );
  addRoute(
    server,
    updateProgramOperation,
    ({ principal, params, body, query }) =>
      updateProgram(context, principal, params.programId, body, query.version),
    { moreFaults: ({ body }) => programFaults(body) },
  );
  addRoute(server, deleteProgramOperation, ({ principal, params }) =>
    deleteProgram(context, principal, params.programId),
  );
}

export function registerEnrolments(server: FastifyInstance, context: ProgramsContext): void {
  addRoute(server, listProgramEnrolmentsOperation, ({ principal, params, query }) => {
    const { limit = 50, offset = 0 } = query;
    return readProgramEnrolments(context, principal, params.programId, { limit, offset });
  });
  addRoute(server, listEnrolmentsOperation, ({ principal, params }) =>
    readEnrolments(context, principal, params.accountId),
  );
  addRoute(
    server,
    createEnrolmentOperation,
    ({ principal, params, body }) => createEnrolment(context, principal, params.accountId, body),
    { moreFaults: ({ body }) => enrolmentFaults(body) },
  );
  const places = server.places.create(
    'enrolmentPreviews',
    'previews of enrolments at a time',
    PREVIEW_SHARES,
    RETRY_AFTER_SECONDS,
  );
  addRoute(
    server,
    previewEnrolmentOperation,
    ({ principal, params, body }) => previewEnrolment(context, principal, params.accountId, body),
    { places, moreFaults: ({ body }) => enrolmentFaults(body) },
  );
  addRoute(server, readEnrolmentOperation, ({ principal, params, query }) => {
    const { accountId, enrolmentId } = params;
    return readEnrolment(context, principal, accountId, enrolmentId, query.realTime ?? false);
  });
  addRoute(server, changeEnrolmentOperation, ({ principal, params, body }) => {
    const { accountId, enrolmentId } = params;
    return changeEnrolment(context, principal, accountId, enrolmentId, body.state);
  });
}
