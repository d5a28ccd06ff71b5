import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  endSessionOperation,
  endSessionsOperation,
  listSessionsOperation,
} from '../../../../src/contract/operations/sessions.ts';
import { type Answer, call, callAll } from '../../lib/api.ts';
import { signOut } from '../../lib/session.ts';

export type ListedSession = Answer<typeof listSessionsOperation>[number];
const KEY = ['sessions'];

export const useSessions = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      callAll<typeof listSessionsOperation>('GET /users/current/sessions', {}, signal),
  });

export function useEndSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      call<typeof endSessionOperation>('DELETE /users/current/sessions/:id', { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** This one ends, too. */
export const useEndSessions = () =>
  useMutation({
    mutationFn: () => call<typeof endSessionsOperation>('DELETE /users/current/sessions', {}),
    onSuccess: () => signOut('asked'),
  });
