import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  deleteImportOperation,
  listImportsOperation,
  readImportOperation,
} from '../../../../src/contract/operations/statements.ts';
import { call } from '../../lib/api.ts';

const PATH = '/users/current/accounts/:accountId/imports' as const;
export const MAX_LISTED_IMPORTS = 100;
const SETTLING_MS = 1_000;

/** Report files that were imported, newest first; asked for again while one comes in or goes. */
export const useImports = (accountId: string) =>
  useQuery({
    queryKey: ['account', accountId, 'imports'],
    queryFn: ({ signal }) =>
      call<typeof listImportsOperation>(
        `GET ${PATH}`,
        { params: { accountId }, query: { limit: MAX_LISTED_IMPORTS } },
        signal,
      ),
    refetchInterval: ({ state }) =>
      state.data?.some(({ state }) => state !== 'stored') ? SETTLING_MS : false,
  });

/** All that is known of one of them. */
export const useImport = (accountId: string, importId: string) =>
  useQuery({
    queryKey: ['account', accountId, 'imports', importId],
    queryFn: ({ signal }) =>
      call<typeof readImportOperation>(
        `GET ${PATH}/:importId`,
        { params: { accountId, importId } },
        signal,
      ),
  });

export function useTakeBack(accountId: string, importId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      call<typeof deleteImportOperation>(`DELETE ${PATH}/:importId`, {
        params: { accountId, importId },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['account', accountId] });
      await queries.invalidateQueries({ queryKey: ['accounts'] });
    },
  });
}
