import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  deleteTableMappingOperation,
  listTableMappingsOperation,
  NewTableMapping,
  saveTableMappingOperation,
} from '../../../src/contract/operations/table-mappings.ts';
import { call } from '../lib/api.ts';

const PATH = '/users/current/table-mappings' as const;
const KEY = ['table-mappings'];

/** What was said about the columns of tables, for all accounts. */
export const useTableMappings = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call<typeof listTableMappingsOperation>(`GET ${PATH}`, {}, signal),
  });

/** `replaces`: when the one was saved that its user has seen under this name, or `none`. */
type Saved = { name: string; body: NewTableMapping; replaces: string };

export function useSaveTableMapping() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, body, replaces }: Saved) =>
      call<typeof saveTableMappingOperation>(`PUT ${PATH}/:name`, {
        params: { name },
        query: { replaces },
        body,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteTableMapping() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      call<typeof deleteTableMappingOperation>(`DELETE ${PATH}/:name`, { params: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
