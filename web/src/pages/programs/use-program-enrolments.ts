import { useInfiniteQuery } from '@tanstack/react-query';
import type {
  listProgramEnrolmentsOperation,
  ProgramEnrolmentRecord,
} from '../../../../src/contract/operations/enrolments.ts';
import { call } from '../../lib/api.ts';

const PAGE = 25;
const REFRESH_MS = 5_000;

/** An enrolment with its account, whose figures are as of `answeredAtMs`. */
export type AccountEnrolment = ProgramEnrolmentRecord & { answeredAtMs: number };

async function readPage(programId: string, offset: number, signal: AbortSignal) {
  const { total, enrolments } = await call<typeof listProgramEnrolmentsOperation>(
    'GET /users/current/programs/:programId/enrolments',
    { params: { programId }, query: { limit: PAGE, offset } },
    signal,
  );
  const answeredAtMs = Date.now();
  const next = offset + PAGE;
  return { rows: enrolments.map((each) => ({ ...each, answeredAtMs })), total, next };
}

/** Enrolments in a program, newest first, and their number. */
export function useProgramEnrolments(programId: string) {
  const query = useInfiniteQuery({
    queryKey: ['programs', 'enrolments', programId],
    queryFn: ({ pageParam, signal }) => readPage(programId, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next, total }) => (next < total ? next : undefined),
    refetchInterval: REFRESH_MS,
  });
  // A new one at the top shifts the others: the last of one page becomes the first of the next.
  const rows = query.data?.pages.flatMap(({ rows }) => rows.map((row) => [row.id, row] as const));
  return {
    ...query,
    rows: rows && [...new Map(rows).values()],
    total: query.data?.pages.at(-1)?.total,
  };
}
