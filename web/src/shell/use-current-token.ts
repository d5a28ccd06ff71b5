import type { currentTokenOperation } from '../../../src/contract/operations/system.ts';
import { readSession } from '../lib/session.ts';
import { useRead } from '../lib/use-operation.ts';

/** The token's user and rights; undefined until answered, and while nobody is signed in. */
export function useCurrentToken() {
  return useRead<typeof currentTokenOperation>(
    ['current-token'],
    'GET /users/current/token',
    {},
    { staleTime: Number.POSITIVE_INFINITY, enabled: readSession().id !== undefined },
  ).data;
}
