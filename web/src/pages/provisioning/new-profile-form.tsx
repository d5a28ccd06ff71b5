import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ClockFields, readClock, USUAL_CLOCK } from '../../components/clock-fields.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { faultOf } from '../../lib/faults.ts';
import { KINDS, type Kind, type Platform } from './profile-words.ts';
import { ServerFields } from './server-fields.tsx';
import { type NewProfile, useCreateProfile } from './use-profiles.ts';

const PARAMETERS = [
  ...['name', 'platform', 'kind', 'server', 'login', 'password', 'tlsFingerprint', 'tlsCa'],
  ...['brokerClock.zone', 'brokerClock.shiftHours'],
];

export type ProfileDraft = {
  name: string;
  platform: Platform;
  kind: Kind;
  server: string;
  login: string;
  password: string;
  tlsFingerprint: string;
  tlsCa: string;
  zone: string;
  shiftHours: string;
};

const EMPTY: ProfileDraft = {
  name: '',
  platform: 'p5',
  kind: 'simulated',
  server: '',
  login: '',
  password: '',
  tlsFingerprint: '',
  tlsCa: '',
  ...USUAL_CLOCK,
};

export function NewProfileForm({ done, close }: { done: (id: string) => void; close: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const create = useCreateProfile();
  const change = (changes: Partial<ProfileDraft>): void => setDraft({ ...draft, ...changes });
  const kinds = KINDS.filter(({ platforms }) =>
    (platforms as readonly Platform[]).includes(draft.platform),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const profile = toProfile(draft);
    if (profile) create.mutate(profile, { onSuccess: ({ id }) => done(id) });
  };
  const { error } = create;
  return (
    <form className="form" onSubmit={submit} noValidate>
      <div className="fields">
        <Field label="Name" required error={faultOf(error, 'name', 'Name')}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label="Platform" error={faultOf(error, 'platform', 'Platform')}>
          {(control) => (
            <select
              {...control}
              value={draft.platform}
              onChange={(event) =>
                change({ platform: event.target.value as Platform, kind: 'simulated' })
              }
            >
              <option value="p5">p5</option>
              <option value="p4">p4</option>
            </select>
          )}
        </Field>
        <Field
          label="Kind"
          hint={KINDS.find(({ kind }) => kind === draft.kind)?.hint}
          error={faultOf(error, 'kind', 'Kind')}
        >
          {(control) => (
            <select
              {...control}
              value={draft.kind}
              onChange={(event) => change({ kind: event.target.value as Kind })}
            >
              {kinds.map(({ kind, title }) => (
                <option key={kind} value={kind}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {draft.kind === 'simulated' ? null : (
        <ServerFields draft={draft} error={error} change={change} />
      )}
      <ClockFields form={draft} error={error} change={change} />
      <FormError error={error} parameters={PARAMETERS} />
      <div className="form-buttons">
        <Button kind="primary" type="submit" busy={create.isPending}>
          Create profile
        </Button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/**
 * Fields that the kind has no use for stay at home, the password above all. Undefined while the clock
 * can't be read.
 */
function toProfile(draft: ProfileDraft): NewProfile | undefined {
  const { name, platform, kind } = draft;
  const brokerClock = readClock(draft);
  if (!brokerClock) return undefined;
  const profile: NewProfile = { name: name.trim(), platform, kind, brokerClock };
  if (kind === 'simulated') return profile;
  const reached = {
    server: draft.server.trim(),
    login: kind === 'p5-web-api' ? draft.login.trim() : '',
    password: draft.password,
    tlsFingerprint: draft.tlsFingerprint.trim(),
    tlsCa: draft.tlsCa.trim(),
  };
  const given = Object.entries(reached).filter(([, value]) => value !== '');
  return { ...profile, ...Object.fromEntries(given) };
}
