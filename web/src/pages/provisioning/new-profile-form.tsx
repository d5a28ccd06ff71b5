import { PLATFORMS } from '../../accounts/platforms.ts';
import { clockFields } from '../../components/clock-fields.tsx';
import type { FieldRow, Section } from '../../components/field-table.ts';
import { Form } from '../../components/form.tsx';
import { useTyped } from '../../lib/edits.ts';
import { EMPTY, type ProfileDraft, toProfile } from './profile-draft.ts';
import { KINDS, type Platform } from './profile-words.ts';
import { useCreateProfile } from './use-profiles.ts';

export function NewProfileForm({ done, close }: { done: (id: string) => void; close: () => void }) {
  const typed = useTyped(EMPTY);
  const draft = typed.form;
  const create = useCreateProfile();
  const profile = toProfile(draft);
  return (
    <Form
      {...typed}
      fields={[
        { name: 'name', label: 'Name', required: true },
        {
          name: 'platform',
          label: 'Platform',
          options: PLATFORMS,
          write: (platform: Platform): Partial<ProfileDraft> => ({ platform, kind: 'simulated' }),
        },
        {
          name: 'kind',
          label: 'Kind',
          hint: KINDS.find(({ kind }) => kind === draft.kind)?.hint,
          options: kindsOf(draft.platform),
        },
        draft.kind !== 'simulated' && connectionOf(draft.kind === 'p5-web-api'),
        clockFields(draft),
      ]}
      error={create.error}
      submit={() =>
        profile && create.mutate({ body: profile }, { onSuccess: ({ id }) => done(id) })
      }
      action="Create profile"
      busy={create.isPending}
      cancel={close}
    />
  );
}

const kindsOf = (platform: Platform) =>
  KINDS.filter(({ platforms }) => (platforms as readonly Platform[]).includes(platform)).map(
    ({ kind, title }) => ({ value: kind, title }),
  );

/** How a real platform is reached, and whom to trust there. */
const connectionOf = (isP5: boolean): Section<FieldRow<ProfileDraft>> => ({
  legend: 'Connection',
  fields: [
    {
      name: 'server',
      label: 'Server',
      required: true,
      hint: 'https://host or https://host:port',
      type: 'url',
    },
    isP5 && {
      name: 'login',
      label: 'Login',
      required: true,
      hint: 'Number of the manager account',
      inputMode: 'numeric',
    },
    {
      name: 'password',
      label: isP5 ? 'Password' : 'Token of the bridge',
      required: true,
      hint: 'Stored encrypted and never shown again',
      type: 'password',
      autoComplete: 'new-password',
    },
    {
      summary: "The server's certificate is self-signed or of a private authority",
      fields: [
        {
          name: 'tlsFingerprint',
          label: 'Fingerprint',
          hint: 'SHA-256 of the only certificate to accept',
        },
        { name: 'tlsCa', label: 'Authority', hint: 'PEM of the authority to trust', lines: 3 },
      ],
    },
  ],
});
