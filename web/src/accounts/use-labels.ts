import type { listAccountLabelsOperation } from '../../../src/contract/operations/accounts.ts';
import { useRead } from '../lib/use-operation.ts';

const REFRESH_MS = 4_000;

/** Every label of the user's accounts, with how many have it and need looking at. */
export const useLabels = () =>
  useRead<typeof listAccountLabelsOperation>(
    ['accounts', 'labels'],
    'GET /users/current/account-labels',
    {},
    { refetchInterval: REFRESH_MS },
  );
