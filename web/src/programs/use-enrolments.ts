import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  changeEnrolmentOperation,
  createEnrolmentOperation,
  EnrolmentRecord,
  listEnrolmentsOperation,
  NewEnrolment,
  previewEnrolmentOperation,
  readEnrolmentOperation,
} from '../../../src/contract/operations/enrolments.ts';
import type { AskedState } from '../../../src/words/programs.ts';
import { call } from '../lib/api.ts';

const REFRESH_MS = 5_000;
/** Of those that have ended: events tell at once that one is disputed or reinstated. */
const ENDED_REFRESH_MS = 60_000;

/** All of an account, in the order in which they were made. */
export const useEnrolments = (accountId: string) =>
  useQuery({
    queryKey: ['account', accountId, 'enrolments'],
    queryFn: ({ signal }) =>
      call<typeof listEnrolmentsOperation>(
        'GET /users/current/accounts/:accountId/enrolments',
        { params: { accountId } },
        signal,
      ),
    refetchInterval: REFRESH_MS,
  });

/** One with its progress and history; one that has ended may still be disputed. */
export const useEnrolment = (accountId: string, enrolmentId: string) =>
  useQuery({
    queryKey: ['account', accountId, 'enrolment', enrolmentId],
    queryFn: ({ signal }) =>
      call<typeof readEnrolmentOperation>(
        'GET /users/current/accounts/:accountId/enrolments/:enrolmentId',
        { params: { accountId, enrolmentId }, query: { realTime: true } },
        signal,
      ),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || goesOn(data) ? REFRESH_MS : ENDED_REFRESH_MS,
  });

/** Whether it is judged: one whose end is disputed still is, until a person decides. */
export const goesOn = ({
  state,
  isDisputed,
}: Pick<EnrolmentRecord, 'state' | 'isDisputed'>): boolean =>
  isDisputed || state === 'running' || state === 'paused';

export function useEnrol(accountId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewEnrolment) =>
      call<typeof createEnrolmentOperation>('POST /users/current/accounts/:accountId/enrolments', {
        params: { accountId },
        body,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['account', accountId] }),
  });
}

/**
 * What would have become of the account; asked for by a press, since it reads its whole history.
 */
export const useEnrolmentPreview = (accountId: string) =>
  useMutation({
    mutationFn: (body: NewEnrolment) =>
      call<typeof previewEnrolmentOperation>(
        'POST /users/current/accounts/:accountId/enrolments/preview',
        { params: { accountId }, body, onlyReads: true },
      ),
  });

export function useChangeEnrolment(accountId: string, enrolmentId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (state: AskedState) =>
      call<typeof changeEnrolmentOperation>(
        'PUT /users/current/accounts/:accountId/enrolments/:enrolmentId',
        { params: { accountId, enrolmentId }, body: { state } },
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['account', accountId] }),
  });
}
