import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  createProgramOperation,
  deleteProgramOperation,
  listProgramsOperation,
  NewProgram,
  ProgramRecord,
  readProgramOperation,
  updateProgramOperation,
} from '../../../src/contract/operations/programs.ts';
import { call } from '../lib/api.ts';
import { useChange, useRead, useReadAll } from '../lib/use-operation.ts';

const KEY = ['programs'];

/** The newest version of each program. */
export const usePrograms = () =>
  useReadAll<typeof listProgramsOperation>([...KEY, 'all'], 'GET /users/current/programs', {});

/** A version of a program, by default the newest. */
export const useProgram = (programId: string, version?: number) =>
  useRead<typeof readProgramOperation>(
    [...KEY, 'one', programId, version],
    'GET /users/current/programs/:programId',
    { params: { programId }, query: version === undefined ? {} : { version } },
  );

/**
 * Creates a program, or the next version of one: `version` is the newest that its user has seen.
 */
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

export const useDeleteProgram = () =>
  useChange<typeof deleteProgramOperation>('DELETE /users/current/programs/:programId', [
    ...KEY,
    'all',
  ]);
