import type { currentTokenOperation } from '../../../src/contract/operations/system.ts';
import { useRead } from '../lib/use-operation.ts';

/** The token's user and rights; undefined until answered. */
export function useCurrentToken() {
  return useRead<typeof currentTokenOperation>(
    ['current-token'],
    'GET /users/current/token',
    {},
    { staleTime: Number.POSITIVE_INFINITY },
  ).data;
}
