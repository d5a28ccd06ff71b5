import { useInfiniteQuery } from '@tanstack/react-query';
import type {
  accountsOverviewOperation,
  OverviewAccount,
} from '../../../../src/contract/operations/accounts-overview.ts';
import type { EnrolmentRecord } from '../../../../src/contract/operations/enrolments.ts';
import { call } from '../../lib/api.ts';
import { readEnrolments } from '../../programs/use-enrolments.ts';

const PAGE = 25;
const REFRESH_MS = 30_000;

/** An enrolment with its account, whose figures are as of `answeredAtMs`. */
export type AccountEnrolment = EnrolmentRecord & {
  account: OverviewAccount;
  answeredAtMs: number;
};

/** The API lists the enrolments of one account: accounts are gone through by name, some at a time. */
async function readPage(programId: string, offset: number, signal: AbortSignal) {
  const { accounts, total } = await call<typeof accountsOverviewOperation>(
    'GET /users/current/accounts-overview',
    { query: { sort: 'name', limit: PAGE, offset } },
    signal,
  );
  const answeredAtMs = Date.now();
  const rows = await Promise.all(
    accounts.map(async (account): Promise<AccountEnrolment[]> => {
      const enrolments = await readEnrolments(account.id, signal);
      return enrolments
        .filter((each) => each.programId === programId)
        .map((each) => ({ ...each, account, answeredAtMs }));
    }),
  );
  return { rows: rows.flat(), looked: offset + accounts.length, total };
}

/** Enrolments in a program, those of the accounts that were looked through so far. */
export function useProgramEnrolments(programId: string) {
  const query = useInfiniteQuery({
    queryKey: ['programs', 'enrolments', programId],
    queryFn: ({ pageParam, signal }) => readPage(programId, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ looked, total }) => (looked < total ? looked : undefined),
    refetchInterval: REFRESH_MS,
  });
  const last = query.data?.pages.at(-1);
  return {
    ...query,
    rows: query.data?.pages.flatMap(({ rows }) => rows),
    looked: last?.looked ?? 0,
    total: last?.total ?? 0,
  };
}
