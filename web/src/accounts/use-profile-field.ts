import type {
  listProfilesOperation,
  ProfileRecord,
} from '../../../src/contract/operations/profiles.ts';
import type { Platform } from '../../../src/words/accounts.ts';
import type { ChoiceRow } from '../components/field-table.ts';
import { useReadAll } from '../lib/use-operation.ts';

const NONE = { value: '', title: 'None: I send its data' };

/** Provisioning profiles, through which accounts are read. */
export const useProfiles = (options: { enabled?: boolean; refetchInterval?: number } = {}) =>
  useReadAll<typeof listProfilesOperation>(
    ['profiles'],
    'GET /users/current/provisioning-profiles',
    {},
    { ...options },
  );

/**
 * The field for the profile that an account is read through: its snapshots and deals come by
 * themselves. A bound account can be bound to another profile, not freed.
 */
export function useProfileField(platform: Platform, mayBeNone: boolean) {
  const profiles = useProfiles().data?.filter((each) => each.platform === platform) ?? [];
  const choices = profiles.map(({ id, name }) => ({ value: id, title: name }));
  const field: ChoiceRow<'profileId', string, never> = {
    name: 'profileId',
    label: 'Read through the profile',
    options: mayBeNone ? [NONE, ...choices] : choices,
    hint: choices.length === 0 ? `There is no profile of ${platform}: see Provisioning` : undefined,
  };
  const profileOf = (id: string): ProfileRecord | undefined =>
    profiles.find((each) => each.id === id);
  return { field, profileOf };
}
