import { useState } from 'react';
import { PLATFORMS } from '../../accounts/platforms.ts';
import { ChoiceField } from '../../components/choice-field.tsx';
import { ClockFields } from '../../components/clock-fields.tsx';
import { Form } from '../../components/form.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { TextField } from '../../components/text-field.tsx';
import { UNREADABLE } from '../../lib/read-number.ts';
import { EMPTY, type ProfileDraft, toProfile } from './profile-draft.ts';
import { KINDS, type Platform } from './profile-words.ts';
import { ServerFields } from './server-fields.tsx';
import { useCreateProfile } from './use-profiles.ts';

export function NewProfileForm({ done, close }: { done: (id: string) => void; close: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const create = useCreateProfile();
  const change = (changes: Partial<ProfileDraft>): void => setDraft({ ...draft, ...changes });
  const profile = toProfile(draft);
  return (
    <Form
      error={create.error}
      obstacle={profile ? undefined : UNREADABLE}
      submit={() => profile && create.mutate(profile, { onSuccess: ({ id }) => done(id) })}
    >
      <div className="fields">
        <TextField
          label="Name"
          parameter="name"
          required
          text={draft.name}
          change={(name) => change({ name })}
        />
        <ChoiceField
          label="Platform"
          parameter="platform"
          options={PLATFORMS}
          value={draft.platform}
          choose={(platform) => change({ platform, kind: 'simulated' })}
        />
        <ChoiceField
          label="Kind"
          parameter="kind"
          hint={KINDS.find(({ kind }) => kind === draft.kind)?.hint}
          options={kindsOf(draft.platform)}
          value={draft.kind}
          choose={(kind) => change({ kind })}
        />
      </div>
      {draft.kind === 'simulated' ? null : <ServerFields draft={draft} change={change} />}
      <ClockFields form={draft} change={change} />
      <FormEnd action="Create profile" busy={create.isPending} cancel={close} />
    </Form>
  );
}

const kindsOf = (platform: Platform) =>
  KINDS.filter(({ platforms }) => (platforms as readonly Platform[]).includes(platform)).map(
    ({ kind, title }) => ({ value: kind, title }),
  );
