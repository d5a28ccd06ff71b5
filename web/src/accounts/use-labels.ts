import type { listAccountLabelsOperation } from '../../../src/contract/operations/accounts.ts';
import { useRead } from '../lib/use-operation.ts';

const REFRESH_MS = 4_000;

/** Every label of the user's accounts, with its number of accounts and how many need attention. */
export const useLabels = () =>
  useRead<typeof listAccountLabelsOperation>(
    ['accounts', 'labels'],
    'GET /users/current/account-labels',
    {},
    { refetchInterval: REFRESH_MS },
  );
