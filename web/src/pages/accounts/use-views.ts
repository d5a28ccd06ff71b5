import type {
  deleteAccountViewOperation,
  listAccountViewsOperation,
  saveAccountViewOperation,
} from '../../../../src/contract/operations/account-views.ts';
import type { Answer } from '../../lib/api.ts';
import { useChange, useRead } from '../../lib/use-operation.ts';

export type AccountView = Answer<typeof listAccountViewsOperation>[number];

const KEY = ['account-views'];

/** Views shared by all who work with these accounts. */
export const useViews = () =>
  useRead<typeof listAccountViewsOperation>(KEY, 'GET /users/current/account-views', {});

export const useSaveView = () =>
  useChange<typeof saveAccountViewOperation>('PUT /users/current/account-views/:name', KEY);

export const useDeleteView = () =>
  useChange<typeof deleteAccountViewOperation>('DELETE /users/current/account-views/:name', KEY);
