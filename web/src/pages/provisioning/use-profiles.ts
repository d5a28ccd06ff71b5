import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  createProfileOperation,
  deleteProfileOperation,
  updateProfileOperation,
} from '../../../../src/contract/operations/profiles.ts';
import { useProfiles as useProfilesOnce } from '../../accounts/use-profile-field.ts';
import { call, type Input } from '../../lib/api.ts';

export type NewProfile = Input<typeof createProfileOperation>['body'];

const QUERY_KEY = ['profiles'];
/** The state of a connection changes by itself: accounts are read through it all the time. */
const REFRESH_MS = 10_000;

export const useProfiles = () => useProfilesOnce({ refetchInterval: REFRESH_MS });

/** Reads anew how the connections stand, after a call that went through one. */
export function useRefreshProfiles(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: QUERY_KEY });
}

export function useCreateProfile() {
  const refresh = useRefreshProfiles();
  return useMutation({
    mutationFn: (body: NewProfile) =>
      call<typeof createProfileOperation>('POST /users/current/provisioning-profiles', { body }),
    onSuccess: refresh,
  });
}

export function useUpdateProfile(profileId: string) {
  const refresh = useRefreshProfiles();
  return useMutation({
    mutationFn: (body: Input<typeof updateProfileOperation>['body']) =>
      call<typeof updateProfileOperation>('PATCH /users/current/provisioning-profiles/:profileId', {
        params: { profileId },
        body,
      }),
    onSuccess: refresh,
  });
}

export function useDeleteProfile() {
  const refresh = useRefreshProfiles();
  return useMutation({
    mutationFn: (profileId: string) =>
      call<typeof deleteProfileOperation>(
        'DELETE /users/current/provisioning-profiles/:profileId',
        { params: { profileId } },
      ),
    onSuccess: refresh,
  });
}
