import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  deleteAccountViewOperation,
  listAccountViewsOperation,
  NewAccountView,
  saveAccountViewOperation,
} from '../../../../src/contract/operations/account-views.ts';
import { type Answer, call } from '../../lib/api.ts';

export type AccountView = Answer<typeof listAccountViewsOperation>[number];

const KEY = ['account-views'];

/** Views that all who work with these accounts share. */
export const useViews = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      call<typeof listAccountViewsOperation>('GET /users/current/account-views', {}, signal),
  });

/**
 * `replaces`: when the one was saved that its user has seen under this name; `none` of a new one.
 */
type Saved = { name: string; body: NewAccountView; replaces: string };

export function useSaveView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, body, replaces }: Saved) =>
      call<typeof saveAccountViewOperation>('PUT /users/current/account-views/:name', {
        params: { name },
        query: { replaces },
        body,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      call<typeof deleteAccountViewOperation>('DELETE /users/current/account-views/:name', {
        params: { name },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
