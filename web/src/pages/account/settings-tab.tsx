import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  AccountRecord,
  updateAccountOperation,
} from '../../../../src/contract/operations/accounts.ts';
import { LEVERAGE_FIELD, NAMES } from '../../accounts/account-form.ts';
import { labelFault, MAX_LABELS_LENGTH, readLabels } from '../../accounts/labels.ts';
import { titleOfPlatform } from '../../accounts/platforms.ts';
import { useProfileField } from '../../accounts/use-profile-field.ts';
import { Card } from '../../components/card.tsx';
import { clockFields } from '../../components/clock-fields.tsx';
import { Form } from '../../components/form.tsx';
import { Overtaken } from '../../components/overtaken.tsx';
import { showToast } from '../../components/toast.tsx';
import { call } from '../../lib/api.ts';
import { useEdits } from '../../lib/edits.ts';
import { DeleteCard } from './delete-card.tsx';
import { changeOf, nowOf, type SettingsChange, settingsOf } from './settings-form.ts';
import { SyncCard } from './sync-card.tsx';

export function SettingsTab({ account }: { account: AccountRecord }) {
  return (
    <>
      <Card
        title="Settings"
        hint={`Login ${account.login}, platform ${titleOfPlatform(account.platform)}, currency ${account.currency} and region ${account.region} stay as they are.`}
      >
        <Settings account={account} />
      </Card>
      {account.unknownDeals ? (
        <p className="note note-warn" role="status">
          {account.unknownDeals === 1 ? 'One deal is' : `${account.unknownDeals} deals are`} of a
          kind that has no name here. Look for “Other” in the history, and check what happened to
          the money.
        </p>
      ) : null}
      {account.sync ? <SyncCard account={account} sync={account.sync} /> : null}
      <DeleteCard account={account} />
    </>
  );
}

function Settings({ account }: { account: AccountRecord }) {
  const stored = settingsOf(account);
  const edits = useEdits(stored);
  const { form, overtaken, change } = edits;
  const update = useUpdateAccount(account.id, edits.drop);
  const wanted = changeOf(edits, account);
  const isEmpty = wanted !== undefined && Object.keys(wanted).length === 0;
  const profile = useProfileField(account.platform, account.profileId === undefined);
  return (
    <Form
      form={form}
      change={change}
      fields={[
        ...NAMES,
        LEVERAGE_FIELD,
        {
          name: 'labels',
          label: 'Labels',
          fault: labelFault(readLabels(form.labels)),
          hint: 'Separated by commas: a phase, a desk, a program',
          maxLength: MAX_LABELS_LENGTH,
        },
        profile.field,
        clockFields(form),
        wanted?.brokerClock ? (
          <p key="clock" className="note note-warn">
            The new clock applies from now on. Stored hours and periods keep the times they have;
            the running ones end as they began.
          </p>
        ) : null,
        {
          name: 'deployed',
          box: 'Deployed: snapshots are expected, and an alarm sounds when none come',
        },
        { name: 'statisticsEnabled', box: 'Statistics: trades and metrics can be read' },
      ]}
      error={update.error}
      submit={() => wanted && update.mutate(wanted)}
      action="Save changes"
      busy={update.isPending}
      disabled={isEmpty}
      beside={isEmpty ? <span className="hint">Nothing is changed yet.</span> : null}
    >
      <Overtaken fields={overtaken} say={(field) => nowOf(stored, field)} />
    </Form>
  );
}

function useUpdateAccount(accountId: string, saved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingsChange) =>
      call<typeof updateAccountOperation>('PATCH /users/current/accounts/:accountId', {
        params: { accountId },
        body,
      }),
    onSuccess: async (changed) => {
      queries.setQueryData(['account', accountId], changed);
      saved();
      await queries.invalidateQueries({ queryKey: ['account', accountId] });
      await queries.invalidateQueries({ queryKey: ['accounts'] });
      showToast('Saved');
    },
  });
}
