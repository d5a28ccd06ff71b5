import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { createAccountOperation } from '../../../src/contract/operations/accounts.ts';
import { clockFields } from '../components/clock-fields.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { call, type Input } from '../lib/api.ts';
import { useTyped } from '../lib/edits.ts';
import { path } from '../lib/path.ts';
import { navigate } from '../lib/route.ts';
import { type AccountForm, chooseProfile, FIELDS, START, toNewAccount } from './account-form.ts';
import { useProfileField } from './use-profile-field.ts';

/**
 * An account that is filled from statements, by sending deals and snapshots, or through a profile.
 */
export function AddAccountDialog(props: {
  close: () => void;
  /** What is known of it already. */
  known?: Partial<AccountForm>;
}) {
  const { form, change } = useTyped<AccountForm>({ ...START, ...props.known });
  const creation = useCreateAccount();
  const account = toNewAccount(form);
  const { field, profileOf } = useProfileField(form.platform, true);
  return (
    <Dialog title="Add an account" close={props.close}>
      <Form
        form={form}
        change={(typed) => {
          const isClockTyped = form.isClockTyped || 'zone' in typed || 'shiftHours' in typed;
          change({ isClockTyped, ...typed });
        }}
        fields={[
          <p key="ways" className="hint">
            Fill it from statements, with deals and snapshots that you send, or through a profile,
            which reads it from its platform. To open an account there, use Provisioning.
          </p>,
          ...FIELDS,
          { ...field, write: (id: string) => chooseProfile(form, id, profileOf(id)) },
          clockFields(form),
        ]}
        error={creation.error}
        submit={() => account && creation.mutate(account)}
        action="Add account"
        busy={creation.isPending}
        cancel={props.close}
      />
    </Dialog>
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
