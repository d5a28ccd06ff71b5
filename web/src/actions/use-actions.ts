import type {
  listBreachActionsOperation,
  readBreachActionStateOperation,
  readBreachActionSwitchOperation,
  retryBreachActionsOperation,
  setBreachActionSwitchOperation,
} from '../../../src/contract/operations/breach-actions.ts';
import type { BreachActionState } from '../../../src/words/actions.ts';
import { useChange, usePages, useRead } from '../lib/use-operation.ts';
import { useMay } from '../shell/use-may.ts';

const REFRESH_MS = 5_000;
const KEY = 'breach-actions';

/**
 * Whether actions are switched on, and how many of the user's are pending; nothing for other
 * tokens.
 */
export function useActionState() {
  const { wholeUser } = useMay();
  return useRead<typeof readBreachActionStateOperation>(
    [KEY, 'state'],
    'GET /users/current/breach-actions/state',
    {},
    { enabled: wholeUser, refetchInterval: REFRESH_MS },
  );
}

/** Actions, newest first, page by page. */
export const useActions = (filter: { state?: BreachActionState; accountId?: string }) =>
  usePages<typeof listBreachActionsOperation>(
    [KEY, 'list', filter],
    'GET /users/current/breach-actions',
    { query: filter },
    () => REFRESH_MS,
    useMay().wholeUser,
  );

/** What shows actions: their lists, and the incidents that they belong to. */
const SHOWN = [[KEY], ['incidents']];

/** Retries actions that were given up: the given ones, or all. */
export const useRetryActions = () =>
  useChange<typeof retryBreachActionsOperation>(
    'POST /users/current/breach-actions/retry',
    ...SHOWN,
  );

/** The state of the switch, for users who may turn it. */
export const useSwitch = () =>
  useRead<typeof readBreachActionSwitchOperation>(
    [KEY, 'switch'],
    'GET /admin/breach-actions/switch',
    {},
    { refetchInterval: REFRESH_MS },
  );

export const useSetSwitch = () =>
  useChange<typeof setBreachActionSwitchOperation>('PUT /admin/breach-actions/switch', ...SHOWN);
