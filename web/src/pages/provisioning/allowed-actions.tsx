import { type FormEvent, useState } from 'react';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { showToast } from '../../components/toast.tsx';
import { faultOf } from '../../lib/faults.ts';
import { useMay } from '../../shell/use-may.ts';
import { type AllowedAction, RIGHTS } from './profile-words.ts';
import { useUpdateProfile } from './use-profiles.ts';

const PARAMETERS = ['password'];

/** What may be done on the platform through a profile, and whether broken limits may do it too. */
export function AllowedActions({ profile }: { profile: ProfileRecord }) {
  const { addAccounts } = useMay();
  // Undefined until somebody changes something: what others allow meanwhile is shown.
  const [chosen, setChosen] = useState<ReadonlySet<AllowedAction>>();
  const [password, setPassword] = useState('');
  const update = useUpdateProfile(profile.id);
  const allowed = new Set(profile.allowedActions);
  const shown = chosen ?? allowed;
  const added = RIGHTS.filter(({ action }) => shown.has(action) && !allowed.has(action));
  const isChanged = added.length > 0 || shown.size !== allowed.size;
  // A token that was stolen must not allow itself to move money.
  const needsPassword = added.length > 0 && profile.kind !== 'simulated';
  const toggle = (action: AllowedAction, isOn: boolean): void => {
    const next = new Set(shown);
    if (isOn) next.add(action);
    else next.delete(action);
    setChosen(next);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await update.mutateAsync({
      allowedActions: RIGHTS.map(({ action }) => action).filter((action) => shown.has(action)),
      ...(needsPassword && password !== '' ? { password } : {}),
    });
    setChosen(undefined);
    setPassword('');
    showToast('Saved. It holds from now on');
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
                checked={shown.has(action)}
                onChange={({ target }) => toggle(action, target.checked)}
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
            hint="To allow more takes it again"
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
            <Button kind="quiet" onClick={() => setChosen(undefined)}>
              Leave it as it was
            </Button>
          </div>
        ) : null}
      </form>
    </Card>
  );
}
