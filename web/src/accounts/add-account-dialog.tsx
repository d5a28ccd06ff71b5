import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { createAccountOperation } from '../../../src/contract/operations/accounts.ts';
import { ChoiceField } from '../components/choice-field.tsx';
import { ClockFields } from '../components/clock-fields.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { TextField } from '../components/text-field.tsx';
import { call, type Input } from '../lib/api.ts';
import { path } from '../lib/path.ts';
import { UNREADABLE } from '../lib/read-number.ts';
import { navigate } from '../lib/route.ts';
import { type AccountForm, chooseProfile, START, toNewAccount } from './account-form.ts';
import { LeverageField } from './leverage-field.tsx';
import { PLATFORMS } from './platforms.ts';
import { ProfileField } from './profile-field.tsx';

/**
 * An account that is filled from statements, by sending deals and snapshots, or through a profile.
 */
export function AddAccountDialog(props: {
  close: () => void;
  /** What is known of it already. */
  known?: Partial<AccountForm>;
}) {
  const [form, setForm] = useState<AccountForm>({ ...START, ...props.known });
  const creation = useCreateAccount();
  const account = toNewAccount(form);
  return (
    <Dialog title="Add an account" close={props.close}>
      <Form
        error={creation.error}
        obstacle={account ? undefined : UNREADABLE}
        submit={() => account && creation.mutate(account)}
      >
        <p className="hint">
          Fill it from statements, with deals and snapshots that you send, or through a profile,
          which reads it from its platform. To open an account there, use Provisioning.
        </p>
        <AccountFields form={form} change={setForm} />
        <ClockFields
          form={form}
          change={(clock) => setForm({ ...form, ...clock, isClockTyped: true })}
        />
        <FormEnd action="Add account" busy={creation.isPending} cancel={props.close} />
      </Form>
    </Dialog>
  );
}

export function AccountFields(props: {
  form: AccountForm;
  change: (form: AccountForm) => void;
  /** It begins with a file: no platform is read for it yet. */
  isOfFile?: boolean;
}) {
  const { form } = props;
  const change = (changes: Partial<AccountForm>): void => props.change({ ...form, ...changes });
  return (
    <div className="fields">
      <TextField
        label="Name"
        parameter="name"
        required
        maxLength={200}
        text={form.name}
        change={(name) => change({ name })}
      />
      <TextField
        label="Broker"
        parameter="broker"
        required
        maxLength={200}
        text={form.broker}
        change={(broker) => change({ broker })}
      />
      <ChoiceField
        label="Platform"
        parameter="platform"
        options={PLATFORMS}
        value={form.platform}
        choose={(platform) => change({ platform, profileId: '' })}
      />
      <TextField
        label="Login"
        parameter="login"
        required
        hint="The number on the platform"
        inputMode="numeric"
        maxLength={200}
        text={form.login}
        change={(login) => change({ login })}
      />
      <TextField
        label="Currency"
        parameter="currency"
        required
        hint="Cannot be changed later"
        maxLength={200}
        text={form.currency}
        change={(currency) => change({ currency })}
      />
      <LeverageField text={form.leverage} change={(leverage) => change({ leverage })} />
      {props.isOfFile ? null : (
        <ProfileField
          platform={form.platform}
          value={form.profileId}
          mayBeNone
          choose={(profileId, profile) => props.change(chooseProfile(form, profileId, profile))}
        />
      )}
    </div>
  );
}

/** Creates it, and goes to where it is filled. */
function useCreateAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof createAccountOperation>['body']) =>
      call<typeof createAccountOperation>('POST /users/current/accounts', { body }),
    onSuccess: async ({ id }, { profileId }) => {
      await queries.invalidateQueries({ queryKey: ['accounts'] });
      navigate(path.account(id, profileId ? {} : { tab: 'import' }));
    },
  });
}
