import { useQuery } from '@tanstack/react-query';
import type {
  listProfilesOperation,
  ProfileRecord,
} from '../../../src/contract/operations/profiles.ts';
import type { Platform } from '../../../src/words/accounts.ts';
import { ChoiceField } from '../components/choice-field.tsx';
import { call } from '../lib/api.ts';

const NONE = { value: '', title: 'None: I send its data' };

/**
 * The provisioning profile that an account is read through: its snapshots and deals come by
 * themselves.
 */
export function ProfileField(props: {
  platform: Platform;
  value: string;
  /** A bound account can be bound to another profile, not freed. */
  mayBeNone: boolean;
  choose: (profileId: string, profile: ProfileRecord | undefined) => void;
}) {
  const { data } = useQuery({
    queryKey: ['profiles'],
    queryFn: ({ signal }) =>
      call<typeof listProfilesOperation>('GET /users/current/provisioning-profiles', {}, signal),
  });
  const profiles = data?.filter(({ platform }) => platform === props.platform) ?? [];
  return (
    <ChoiceField
      label="Read through the profile"
      parameter="profileId"
      hint={
        profiles.length === 0
          ? `There is no profile of ${props.platform}: see Provisioning`
          : undefined
      }
      options={[
        ...(props.mayBeNone ? [NONE] : []),
        ...profiles.map(({ id, name }) => ({ value: id, title: name })),
      ]}
      value={props.value}
      choose={(profileId) =>
        props.choose(
          profileId,
          profiles.find(({ id }) => id === profileId),
        )
      }
    />
  );
}
