import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  createProgramOperation,
  deleteProgramOperation,
  listProgramsOperation,
  NewProgram,
  ProgramRecord,
  readProgramOperation,
  updateProgramOperation,
} from '../../../src/contract/operations/programs.ts';
import { call, callAll } from '../lib/api.ts';

const KEY = ['programs'];

/** The newest version of each program. */
export const usePrograms = () =>
  useQuery({
    queryKey: [...KEY, 'all'],
    queryFn: ({ signal }) =>
      callAll<typeof listProgramsOperation>('GET /users/current/programs', {}, signal),
  });

/** A version of a program, the newest where none is asked for. */
export const useProgram = (programId: string, version?: number) =>
  useQuery({
    queryKey: [...KEY, 'one', programId, version],
    queryFn: ({ signal }) =>
      call<typeof readProgramOperation>(
        'GET /users/current/programs/:programId',
        { params: { programId }, query: version === undefined ? {} : { version } },
        signal,
      ),
  });

/** Makes a program, or the next version of one: `version` is the newest that its user has seen. */
export function useSaveProgram(from: Pick<ProgramRecord, 'id' | 'version'> | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewProgram) =>
      from === undefined
        ? call<typeof createProgramOperation>('POST /users/current/programs', { body })
        : call<typeof updateProgramOperation>('PUT /users/current/programs/:programId', {
            params: { programId: from.id },
            query: { version: from.version },
            body,
          }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteProgram() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (programId: string) =>
      call<typeof deleteProgramOperation>('DELETE /users/current/programs/:programId', {
        params: { programId },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...KEY, 'all'] }),
  });
}
