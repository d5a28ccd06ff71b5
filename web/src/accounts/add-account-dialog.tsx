import type { createAccountOperation } from '../../../src/contract/operations/accounts.ts';
import { clockFields } from '../components/clock-fields.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { useTyped } from '../lib/edits.ts';
import { path } from '../lib/path.ts';
import { navigate } from '../lib/route.ts';
import { useChange } from '../lib/use-operation.ts';
import { type AccountForm, chooseProfile, FIELDS, START, toNewAccount } from './account-form.ts';
import { useProfileField } from './use-profile-field.ts';

/**
 * Adds an account that is filled from statements, by sending deals and snapshots, or through a
 * profile.
 */
export function AddAccountDialog(props: {
  close: () => void;
  /** Data already known. */
  known?: Partial<AccountForm>;
}) {
  const { form, change, draft } = useTyped<AccountForm>(
    { ...START, ...props.known },
    props.known ? undefined : 'new account',
  );
  const creation = useChange<typeof createAccountOperation>('POST /users/current/accounts', [
    'accounts',
  ]);
  const account = toNewAccount(form);
  /** Creates it, and goes to the page that fills it. */
  const submit = async (): Promise<void> => {
    if (!account) return;
    const { id } = await creation.mutateAsync({ body: account });
    navigate(path.account(id, account.profileId ? {} : { tab: 'import' }));
  };
  const { field, profileOf } = useProfileField(form.platform, true);
  return (
    <Dialog title="Add an account" close={props.close}>
      <Form
        form={form}
        draft={draft}
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
        submit={submit}
        action="Add account"
        busy={creation.isPending}
        cancel={props.close}
      />
    </Dialog>
  );
}
