import type {
  createUserOperation,
  deleteUserOperation,
  listUsersOperation,
} from '../../../../src/contract/operations/users.ts';
import type { Answer } from '../../lib/api.ts';
import { useChange, usePages, useReadAll } from '../../lib/use-operation.ts';

export type User = Answer<typeof listUsersOperation>[number];

const LIST = 'GET /admin/users' as const;
/** In as few answers as can be. */
const ALL = { query: { limit: 1000 } };

export const useUsers = () => usePages<typeof listUsersOperation>(['users', 'pages'], LIST, {});

/** One user; null if the id is unknown. */
export const useUser = (userId: string) =>
  useReadAll<typeof listUsersOperation, User | null>(['users', 'all'], LIST, ALL, {
    select: (users) => users.find(({ id }) => id === userId) ?? null,
  });

/** E-mail addresses by user id. */
export const useEmails = (): Map<string, string> =>
  new Map(
    useReadAll<typeof listUsersOperation>(['users', 'all'], LIST, ALL).data?.map(
      ({ id, email }) => [id, email],
    ),
  );

export const useCreateUser = () =>
  useChange<typeof createUserOperation>('POST /admin/users', ['users']);

export const useDeleteUser = () =>
  useChange<typeof deleteUserOperation>('DELETE /admin/users/:userId', ['users']);
