import type { currentTokenOperation } from '../../../src/contract/operations/system.ts';
import { useRead } from '../lib/use-operation.ts';

/** Whose token this is and what it may do; undefined until the answer is here. */
export function useCurrentToken() {
  return useRead<typeof currentTokenOperation>(
    ['current-token'],
    'GET /users/current/token',
    {},
    { staleTime: Number.POSITIVE_INFINITY },
  ).data;
}
