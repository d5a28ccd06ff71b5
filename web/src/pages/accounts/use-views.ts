import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  deleteAccountViewOperation,
  listAccountViewsOperation,
  NewAccountView,
  saveAccountViewOperation,
} from '../../../../src/contract/operations/account-views.ts';
import { call } from '../../lib/api.ts';

const KEY = ['account-views'];

/** Views that all who work with these accounts share. */
export const useViews = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      call<typeof listAccountViewsOperation>('GET /users/current/account-views', {}, signal),
  });

export function useSaveView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, body }: { name: string; body: NewAccountView }) =>
      call<typeof saveAccountViewOperation>('PUT /users/current/account-views/:name', {
        params: { name },
        body,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
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
