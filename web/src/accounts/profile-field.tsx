import { useQuery } from '@tanstack/react-query';
import type {
  listProfilesOperation,
  ProfileRecord,
} from '../../../src/contract/operations/profiles.ts';
import { Field } from '../components/field.tsx';
import { call } from '../lib/api.ts';

/** The provisioning profile that an account is read through: its snapshots and deals come by themselves. */
export function ProfileField(props: {
  platform: 'p4' | 'p5';
  value: string;
  /** A bound account can be bound to another profile, not freed. */
  mayBeNone: boolean;
  error: string | undefined;
  choose: (profileId: string, profile: ProfileRecord | undefined) => void;
}) {
  const { data } = useQuery({
    queryKey: ['profiles'],
    queryFn: ({ signal }) =>
      call<typeof listProfilesOperation>('GET /users/current/provisioning-profiles', {}, signal),
  });
  const profiles = data?.filter(({ platform }) => platform === props.platform) ?? [];
  return (
    <Field
      label="Read through the profile"
      hint={
        profiles.length === 0
          ? `There is no profile of ${props.platform}: see Provisioning`
          : undefined
      }
      error={props.error}
    >
      {(control) => (
        <select
          {...control}
          value={props.value}
          onChange={({ target }) =>
            props.choose(
              target.value,
              profiles.find(({ id }) => id === target.value),
            )
          }
        >
          {props.mayBeNone ? <option value="">None: I send its data</option> : null}
          {profiles.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
