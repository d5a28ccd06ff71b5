import { useState } from 'react';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Card } from '../../components/card.tsx';
import { Check } from '../../components/check.tsx';
import { Form } from '../../components/form.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showToast } from '../../components/toast.tsx';
import { useEdits } from '../../lib/edits.ts';
import { useMay } from '../../shell/use-may.ts';
import { type AllowedAction, RIGHTS } from './profile-words.ts';
import { useUpdateProfile } from './use-profiles.ts';

const switchesOf = ({ allowedActions }: ProfileRecord): Record<AllowedAction, boolean> =>
  Object.fromEntries(
    RIGHTS.map(({ action }) => [action, allowedActions.includes(action)]),
  ) as Record<AllowedAction, boolean>;

const switched = (changed: Partial<Record<AllowedAction, boolean>>, to: boolean): AllowedAction[] =>
  RIGHTS.map(({ action }) => action).filter((action) => changed[action] === to);

/** Allowed actions on the platform through a profile, and whether broken limits may do it too. */
export function AllowedActions({ profile }: { profile: ProfileRecord }) {
  const { addAccounts } = useMay();
  // One by one: what others allow or forbid meanwhile stays so.
  const { form, changed, change, drop } = useEdits(switchesOf(profile));
  const [password, setPassword] = useState('');
  const update = useUpdateProfile(profile.id);
  const isChanged = Object.keys(changed).length > 0;
  // A token that was stolen must not allow itself to move money.
  const needsPassword = Object.values(changed).includes(true) && profile.kind !== 'simulated';
  const submit = async (): Promise<void> => {
    await update.mutateAsync({
      allow: switched(changed, true),
      forbid: switched(changed, false),
      ...(needsPassword && password !== '' ? { password } : {}),
    });
    drop();
    setPassword('');
    showToast('Saved. It applies from now on');
  };
  return (
    <Card title="Allowed actions" hint="To accounts of the platform, through this profile">
      <Form error={update.error} submit={submit}>
        <fieldset className="allowed-actions" disabled={!addAccounts}>
          <legend className="visually-hidden">Allowed</legend>
          {RIGHTS.map(({ action, title, hint }) => (
            <Check key={action} isOn={form[action]} set={(isOn) => change({ [action]: isOn })}>
              <span>
                {title}
                <span className="hint"> {hint}</span>
              </span>
            </Check>
          ))}
        </fieldset>
        {needsPassword ? (
          <TextField
            label="Password of the profile"
            parameter="password"
            required
            hint="Required to allow more actions"
            type="password"
            maxLength={512}
            text={password}
            change={setPassword}
          />
        ) : null}
        {isChanged || update.error ? (
          <FormEnd
            action="Save allowed actions"
            busy={update.isPending}
            disabled={!isChanged}
            cancel={drop}
            cancelWords="Discard changes"
          />
        ) : null}
      </Form>
    </Card>
  );
}
