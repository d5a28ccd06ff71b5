import type {
  changeEnrolmentOperation,
  createEnrolmentOperation,
  EnrolmentRecord,
  listEnrolmentsOperation,
  previewEnrolmentOperation,
  readEnrolmentOperation,
} from '../../../src/contract/operations/enrolments.ts';
import { useChange, useRead } from '../lib/use-operation.ts';

const REFRESH_MS = 5_000;
/** Of ended ones: events report at once that one is disputed or reinstated. */
const ENDED_REFRESH_MS = 60_000;

/** All of an account, in order of creation. */
export const useEnrolments = (accountId: string) =>
  useRead<typeof listEnrolmentsOperation>(
    ['account', accountId, 'enrolments'],
    'GET /users/current/accounts/:accountId/enrolments',
    { params: { accountId } },
    { refetchInterval: REFRESH_MS },
  );

/** One with its progress and history; an ended one may still be disputed. */
export const useEnrolment = (accountId: string, enrolmentId: string) =>
  useRead<typeof readEnrolmentOperation>(
    ['account', accountId, 'enrolment', enrolmentId],
    'GET /users/current/accounts/:accountId/enrolments/:enrolmentId',
    { params: { accountId, enrolmentId }, query: { realTime: true } },
    {
      refetchInterval: ({ state: { data } }) =>
        data === undefined || goesOn(data) ? REFRESH_MS : ENDED_REFRESH_MS,
    },
  );

/** Whether it is judged: a disputed one still is, until a person decides. */
export const goesOn = ({
  state,
  isDisputed,
}: Pick<EnrolmentRecord, 'state' | 'isDisputed'>): boolean =>
  isDisputed || state === 'running' || state === 'paused';

export const useEnrol = (accountId: string) =>
  useChange<typeof createEnrolmentOperation>('POST /users/current/accounts/:accountId/enrolments', [
    'account',
    accountId,
  ]);

/** The account's course under a phase; requested by a click, since it reads the whole history. */
export const useEnrolmentPreview = () =>
  useChange<typeof previewEnrolmentOperation>(
    'POST /users/current/accounts/:accountId/enrolments/preview',
  );

export const useChangeEnrolment = (accountId: string) =>
  useChange<typeof changeEnrolmentOperation>(
    'PUT /users/current/accounts/:accountId/enrolments/:enrolmentId',
    ['account', accountId],
  );
