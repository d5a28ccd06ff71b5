import { useQueryClient } from '@tanstack/react-query';
import type {
  createProfileOperation,
  deleteProfileOperation,
  updateProfileOperation,
} from '../../../../src/contract/operations/profiles.ts';
import { useProfiles as useProfilesOnce } from '../../accounts/use-profile-field.ts';
import type { Input } from '../../lib/api.ts';
import { useChange } from '../../lib/use-operation.ts';

export type NewProfile = Input<typeof createProfileOperation>['body'];

const QUERY_KEY = ['profiles'];
/** The state of a connection changes at any time: accounts are read through it continually. */
const REFRESH_MS = 10_000;

export const useProfiles = () => useProfilesOnce({ refetchInterval: REFRESH_MS });

/** Reads the state of the connections again, after a call through one. */
export function useRefreshProfiles(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: QUERY_KEY });
}

const PATH = '/users/current/provisioning-profiles' as const;

export const useCreateProfile = () =>
  useChange<typeof createProfileOperation>(`POST ${PATH}`, QUERY_KEY);

export const useUpdateProfile = () =>
  useChange<typeof updateProfileOperation>(`PATCH ${PATH}/:profileId`, QUERY_KEY);

export const useDeleteProfile = () =>
  useChange<typeof deleteProfileOperation>(`DELETE ${PATH}/:profileId`, QUERY_KEY);
