import { type FormEvent, useState } from 'react';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { showToast } from '../../components/toast.tsx';
import { useEdits } from '../../lib/edits.ts';
import { faultOf } from '../../lib/faults.ts';
import { useMay } from '../../shell/use-may.ts';
import { type AllowedAction, RIGHTS } from './profile-words.ts';
import { useUpdateProfile } from './use-profiles.ts';

const PARAMETERS = ['password'];

const switchesOf = ({ allowedActions }: ProfileRecord): Record<AllowedAction, boolean> =>
  Object.fromEntries(
    RIGHTS.map(({ action }) => [action, allowedActions.includes(action)]),
  ) as Record<AllowedAction, boolean>;

const switched = (changed: Partial<Record<AllowedAction, boolean>>, to: boolean): AllowedAction[] =>
  RIGHTS.map(({ action }) => action).filter((action) => changed[action] === to);

/** What may be done on the platform through a profile, and whether broken limits may do it too. */
export function AllowedActions({ profile }: { profile: ProfileRecord }) {
  const { addAccounts } = useMay();
  // One by one: what others allow or forbid meanwhile stays so.
  const { form, changed, change, drop } = useEdits(switchesOf(profile));
  const [password, setPassword] = useState('');
  const update = useUpdateProfile(profile.id);
  const isChanged = Object.keys(changed).length > 0;
  // A token that was stolen must not allow itself to move money.
  const needsPassword = Object.values(changed).includes(true) && profile.kind !== 'simulated';
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
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
    <Card title="What may be done" hint="To accounts of the platform, through this profile">
      {/* A failure is in `update.error`. */}
      <form
        className="form"
        onSubmit={(event) => void submit(event).catch(() => undefined)}
        noValidate
      >
        <fieldset className="allowed-actions" disabled={!addAccounts}>
          <legend className="visually-hidden">Allowed</legend>
          {RIGHTS.map(({ action, title, hint }) => (
            <label key={action} className="check">
              <input
                type="checkbox"
                checked={form[action]}
                onChange={({ target }) => change({ [action]: target.checked })}
              />
              <span>
                {title}
                <span className="hint"> {hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {needsPassword ? (
          <Field
            label="Password of the profile"
            required
            hint="Required to allow more actions"
            error={faultOf(update.error, 'password', 'Password')}
          >
            {(control) => (
              <input
                {...control}
                type="password"
                autoComplete="off"
                maxLength={512}
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            )}
          </Field>
        ) : null}
        <FormError error={update.error} parameters={PARAMETERS} />
        {isChanged ? (
          <div className="form-buttons">
            <Button kind="primary" type="submit" busy={update.isPending}>
              Save what may be done
            </Button>
            <Button kind="quiet" onClick={drop}>
              Leave it as it was
            </Button>
          </div>
        ) : null}
      </form>
    </Card>
  );
}
