import { useQuery } from '@tanstack/react-query';
import type {
  createUserOperation,
  deleteUserOperation,
  listUsersOperation,
} from '../../../../src/contract/operations/users.ts';
import { type Answer, call } from '../../lib/api.ts';
import { useChange, useRead } from '../../lib/use-operation.ts';
import { usePages } from './use-pages.ts';

export type User = Answer<typeof listUsersOperation>[number];

const MAX_PAGE = 1000;

export function useUsers() {
  return usePages(['users', 'pages'], (query, signal) =>
    call<typeof listUsersOperation>('GET /admin/users', { query }, signal),
  );
}

/** One user; null where there is none of that id. */
export function useUser(userId: string) {
  return useQuery({
    queryKey: ['users', 'one', userId],
    queryFn: async ({ signal }): Promise<User | null> => {
      for (let offset = 0; ; offset += MAX_PAGE) {
        const query = { limit: MAX_PAGE, offset };
        const users = await call<typeof listUsersOperation>('GET /admin/users', { query }, signal);
        const found = users.find(({ id }) => id === userId);
        if (found || users.length < MAX_PAGE) return found ?? null;
      }
    },
  });
}

/** E-mail addresses by user id, of the first thousand users. */
export function useEmails(): Map<string, string> {
  const { data } = useRead<typeof listUsersOperation>(['users', 'emails'], 'GET /admin/users', {
    query: { limit: MAX_PAGE },
  });
  return new Map(data?.map(({ id, email }) => [id, email]));
}

export const useCreateUser = () =>
  useChange<typeof createUserOperation>('POST /admin/users', ['users']);

export const useDeleteUser = () =>
  useChange<typeof deleteUserOperation>('DELETE /admin/users/:userId', ['users']);
