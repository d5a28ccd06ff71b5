import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  BreachActionRecord,
  listBreachActionsOperation,
  readBreachActionStateOperation,
  readBreachActionSwitchOperation,
  retryBreachActionsOperation,
  setBreachActionSwitchOperation,
} from '../../../src/contract/operations/breach-actions.ts';
import type { BreachActionState } from '../../../src/words/actions.ts';
import { call } from '../lib/api.ts';
import { useMay } from '../shell/use-may.ts';

const PAGE = 50;
const REFRESH_MS = 5_000;
const KEY = 'breach-actions';

/**
 * Whether actions are done at all, and how many of the user's are not; nothing for other tokens.
 */
export function useActionState() {
  const { wholeUser } = useMay();
  return useQuery({
    queryKey: [KEY, 'state'],
    queryFn: ({ signal }) =>
      call<typeof readBreachActionStateOperation>(
        'GET /users/current/breach-actions/state',
        {},
        signal,
      ),
    enabled: wholeUser,
    refetchInterval: REFRESH_MS,
  });
}

/** Actions, newest first, page by page. */
export function useActions(filter: { state?: BreachActionState | undefined; accountId?: string }) {
  const { wholeUser } = useMay();
  const query = useInfiniteQuery({
    queryKey: [KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call<typeof listBreachActionsOperation>(
        'GET /users/current/breach-actions',
        {
          query: {
            ...{ limit: PAGE, before: pageParam },
            ...(filter.state ? { state: filter.state } : {}),
            ...(filter.accountId ? { accountId: filter.accountId } : {}),
          },
        },
        signal,
      ),
    initialPageParam: Number.MAX_SAFE_INTEGER,
    getNextPageParam: (last: BreachActionRecord[]) =>
      last.length === PAGE ? last.at(-1)?.id : undefined,
    enabled: wholeUser,
    refetchInterval: REFRESH_MS,
  });
  return { ...query, rows: query.data?.pages.flat() };
}

/** What shows actions is read anew: their lists, and the incidents that they belong to. */
function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: [KEY] });
    await client.invalidateQueries({ queryKey: ['incidents'] });
  };
}

/** Has those that were given up tried again: those named, or all. */
export function useRetryActions() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (ids: number[] | undefined) =>
      call<typeof retryBreachActionsOperation>('POST /users/current/breach-actions/retry', {
        body: ids ? { ids } : {},
      }),
    onSettled: refresh,
  });
}

/** How the switch stands, for whoever may turn it. */
export const useSwitch = () =>
  useQuery({
    queryKey: [KEY, 'switch'],
    queryFn: ({ signal }) =>
      call<typeof readBreachActionSwitchOperation>('GET /admin/breach-actions/switch', {}, signal),
    refetchInterval: REFRESH_MS,
  });

export function useSetSwitch() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (enabled: boolean) =>
      call<typeof setBreachActionSwitchOperation>('PUT /admin/breach-actions/switch', {
        body: { enabled },
      }),
    onSettled: refresh,
  });
}
