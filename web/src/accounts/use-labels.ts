import { useQuery } from '@tanstack/react-query';
import type { listAccountLabelsOperation } from '../../../src/contract/operations/accounts.ts';
import { call } from '../lib/api.ts';

const REFRESH_MS = 4_000;

/** Every label of the user's accounts, with how many have it and need looking at. */
export const useLabels = () =>
  useQuery({
    queryKey: ['accounts', 'labels'],
    queryFn: ({ signal }) =>
      call<typeof listAccountLabelsOperation>('GET /users/current/account-labels', {}, signal),
    refetchInterval: REFRESH_MS,
  });
