import { useQuery } from '@tanstack/react-query';
import type { currentTokenOperation } from '../../../src/contract/operations/system.ts';
import { call } from '../lib/api.ts';

/** Whose token this is and what it may do; undefined until the answer is here. */
export function useCurrentToken() {
  return useQuery({
    queryKey: ['current-token'],
    queryFn: ({ signal }) =>
      call<typeof currentTokenOperation>('GET /users/current/token', {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
