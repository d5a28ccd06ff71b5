import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { useEdits, useTyped } from '../../lib/edits.ts';
import { useMay } from '../../shell/use-may.ts';
import { type AllowedAction, RIGHTS } from './profile-words.ts';
import { useUpdateProfile } from './use-profiles.ts';

const switchesOf = ({ allowedActions }: ProfileRecord): Record<AllowedAction, boolean> =>
  Object.fromEntries(
    RIGHTS.map(({ action }) => [action, allowedActions.includes(action)]),
  ) as Record<AllowedAction, boolean>;

const switched = (changed: Partial<Record<AllowedAction, boolean>>, to: boolean): AllowedAction[] =>
  RIGHTS.map(({ action }) => action).filter((action) => changed[action] === to);

/**
 * Allowed actions on the platform through a profile, and whether broken limits may do them, too.
 */
export function AllowedActions({ profile }: { profile: ProfileRecord }) {
  const { addAccounts } = useMay();
  // One by one: changes by others in the meantime are kept.
  const { form, changed, change, drop } = useEdits(switchesOf(profile));
  const typed = useTyped({ password: '' });
  const { password } = typed.form;
  const update = useUpdateProfile();
  const isChanged = Object.keys(changed).length > 0;
  const isAsked = isChanged || update.error !== null;
  // A stolen token must not allow itself to move money.
  const needsPassword = Object.values(changed).includes(true) && profile.kind !== 'simulated';
  const submit = async (): Promise<void> => {
    await update.mutateAsync({
      params: { profileId: profile.id },
      body: {
        allow: switched(changed, true),
        forbid: switched(changed, false),
        ...(needsPassword && password !== '' ? { password } : {}),
      },
    });
    drop();
    typed.change({ password: '' });
    showToast('Saved. It applies from now on');
  };
  return (
    <Card title="Allowed actions" hint="To accounts of the platform, through this profile">
      <Form
        form={{ ...form, password }}
        change={({ password: word, ...switches }) =>
          word === undefined ? change(switches) : typed.change({ password: word })
        }
        fields={[
          {
            legend: <span className="visually-hidden">Allowed</span>,
            className: 'allowed-actions',
            disabled: !addAccounts,
            fields: RIGHTS.map(({ action, title, hint }) => ({
              name: action,
              box: (
                <span>
                  {title}
                  <span className="hint"> {hint}</span>
                </span>
              ),
            })),
          },
          needsPassword && {
            name: 'password',
            label: 'Password of the profile',
            required: true,
            hint: 'Required to allow more actions',
            type: 'password',
            maxLength: 512,
          },
        ]}
        error={update.error}
        submit={submit}
        action={isAsked && 'Save allowed actions'}
        busy={update.isPending}
        disabled={!isChanged}
        cancel={isAsked && drop}
        cancelWords="Discard changes"
      />
    </Card>
  );
}
