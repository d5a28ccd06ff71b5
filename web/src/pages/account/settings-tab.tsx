import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  AccountRecord,
  updateAccountOperation,
} from '../../../../src/contract/operations/accounts.ts';
import { labelFault, MAX_LABELS_LENGTH, readLabels } from '../../accounts/labels.ts';
import { LeverageField } from '../../accounts/leverage-field.tsx';
import { ProfileField } from '../../accounts/profile-field.tsx';
import { Card } from '../../components/card.tsx';
import { Check } from '../../components/check.tsx';
import { ClockFields } from '../../components/clock-fields.tsx';
import { Form } from '../../components/form.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { Overtaken } from '../../components/overtaken.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showToast } from '../../components/toast.tsx';
import { call } from '../../lib/api.ts';
import { useEdits } from '../../lib/edits.ts';
import { DeleteCard } from './delete-card.tsx';
import {
  changeOf,
  nowOf,
  type SettingsChange,
  type SettingsForm,
  settingsOf,
} from './settings-form.ts';
import { SyncCard } from './sync-card.tsx';

export function SettingsTab({ account }: { account: AccountRecord }) {
  return (
    <>
      <Card
        title="Settings"
        hint={`Login ${account.login}, platform ${account.platform}, currency ${account.currency} and region ${account.region} stay as they are.`}
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
  return (
    <Form
      error={update.error}
      obstacle={wanted ? undefined : 'A field can’t be read. It says why.'}
      submit={() => wanted && !isEmpty && update.mutate(wanted)}
    >
      <TextSettings account={account} form={form} change={change} />
      <ClockFields form={form} change={change} />
      {wanted?.brokerClock ? (
        <p className="note note-warn">
          The new clock applies from now on. Stored hours and periods keep the times they have; the
          running ones end as they began.
        </p>
      ) : null}
      <Check isOn={form.deployed} set={(deployed) => change({ deployed })}>
        Deployed: snapshots are expected, and an alarm sounds when none come
      </Check>
      <Check
        isOn={form.statisticsEnabled}
        set={(statisticsEnabled) => change({ statisticsEnabled })}
      >
        Statistics: trades and metrics can be read
      </Check>
      <FormEnd
        action="Save changes"
        busy={update.isPending}
        disabled={isEmpty}
        beside={isEmpty ? <span className="hint">Nothing is changed yet.</span> : null}
      >
        <Overtaken fields={overtaken} say={(field) => nowOf(stored, field)} />
      </FormEnd>
    </Form>
  );
}

function TextSettings(props: {
  account: AccountRecord;
  form: SettingsForm;
  change: (changes: Partial<SettingsForm>) => void;
}) {
  const { account, form, change } = props;
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
      <LeverageField text={form.leverage} change={(leverage) => change({ leverage })} />
      <TextField
        label="Labels"
        parameter="labels"
        fault={labelFault(readLabels(form.labels))}
        hint="Separated by commas: a phase, a desk, a program"
        maxLength={MAX_LABELS_LENGTH}
        text={form.labels}
        change={(labels) => change({ labels })}
      />
      <ProfileField
        platform={account.platform}
        value={form.profileId}
        mayBeNone={account.profileId === undefined}
        choose={(profileId) => change({ profileId })}
      />
    </div>
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
