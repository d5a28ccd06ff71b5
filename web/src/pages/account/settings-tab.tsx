import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type {
  AccountRecord,
  deleteAccountOperation,
  updateAccountOperation,
} from '../../../../src/contract/operations/accounts.ts';
import { labelFault, labelText, readLabels } from '../../accounts/labels.ts';
import { ProfileField } from '../../accounts/profile-field.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ClockFields, readClock } from '../../components/clock-fields.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Overtaken } from '../../components/overtaken.tsx';
import { showToast } from '../../components/toast.tsx';
import { call, type Input } from '../../lib/api.ts';
import { type Edits, useEdits } from '../../lib/edits.ts';
import { faultOf } from '../../lib/faults.ts';
import { formatNumber } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { type NumberRules, numberOf, readNumber } from '../../lib/read-number.ts';
import { navigate } from '../../lib/route.ts';
import { SyncCard } from './sync-card.tsx';
import { useTrackers } from './use-account.ts';

type Change = Input<typeof updateAccountOperation>['body'];

const PARAMETERS = [
  ...['name', 'broker', 'leverage', 'profileId', 'brokerClock.zone', 'brokerClock.shiftHours'],
  'labels',
];
const LEVERAGE: NumberRules = { min: 0.01, max: 100_000, digits: 2 };

type SettingsForm = {
  name: string;
  broker: string;
  leverage: string;
  zone: string;
  shiftHours: string;
  profileId: string;
  labels: string;
  deployed: boolean;
  statisticsEnabled: boolean;
};

const formOf = (account: AccountRecord): SettingsForm => ({
  name: account.name,
  broker: account.broker,
  leverage: formatNumber(account.leverage, 2),
  zone: account.brokerClock.zone,
  shiftHours: formatNumber(account.brokerClock.shiftHours ?? 0, 2, false),
  profileId: account.profileId ?? '',
  labels: labelText(account.labels),
  deployed: account.deployed,
  statisticsEnabled: account.statisticsEnabled,
});

const TITLES: Record<keyof SettingsForm, string> = {
  name: 'The name',
  broker: 'The broker',
  leverage: 'The leverage',
  zone: 'The time zone',
  shiftHours: 'The hours added',
  profileId: 'The profile',
  labels: 'The list of labels',
  deployed: 'The switch “deployed”',
  statisticsEnabled: 'The switch “statistics”',
};

/** Only what was changed and differs from the account; undefined where a number can't be read. */
function changeOf(
  { form, changed }: Edits<SettingsForm>,
  account: AccountRecord,
): Change | undefined {
  const clock = readClock(form);
  const leverage = numberOf(readNumber(form.leverage, LEVERAGE));
  const labels = readLabels(form.labels);
  if (!clock || leverage === undefined || labelFault(labels)) return undefined;
  const { zone, shiftHours = 0 } = account.brokerClock;
  const isSameClock = clock.zone === zone && clock.shiftHours === shiftHours;
  const wanted = {
    name: form.name.trim(),
    broker: form.broker.trim(),
    ...{ leverage, labels, brokerClock: clock, profileId: form.profileId },
    deployed: form.deployed,
    statisticsEnabled: form.statisticsEnabled,
  } satisfies Change;
  const isSame: Partial<Record<keyof Change, boolean>> = {
    name: wanted.name === account.name,
    broker: wanted.broker === account.broker,
    leverage: leverage === account.leverage,
    labels: labelText(labels) === labelText(account.labels),
    brokerClock: isSameClock,
  };
  const touched = new Set<string>(Object.keys(changed));
  if (touched.has('zone') || touched.has('shiftHours')) touched.add('brokerClock');
  const keys = Object.keys(wanted) as (keyof typeof wanted)[];
  const sent = keys.filter((key) => touched.has(key) && !isSame[key]);
  return Object.fromEntries(sent.map((key) => [key, wanted[key]]));
}

function nowOf(stored: SettingsForm, field: keyof SettingsForm): string {
  const value = stored[field];
  const words = typeof value === 'boolean' ? (value ? 'on' : 'off') : `“${value}”`;
  // The id of a profile says nothing to people.
  return field === 'profileId'
    ? 'The profile has changed in the meantime'
    : `${TITLES[field]} is ${words} by now`;
}

export function SettingsTab({ account }: { account: AccountRecord }) {
  const edits = useEdits(formOf(account));
  const { form, overtaken, change } = edits;
  const queries = useQueryClient();
  const update = useMutation({
    mutationFn: (body: Change) =>
      call<typeof updateAccountOperation>('PATCH /users/current/accounts/:accountId', {
        params: { accountId: account.id },
        body,
      }),
    onSuccess: async (changed) => {
      queries.setQueryData(['account', account.id], changed);
      edits.drop();
      await queries.invalidateQueries({ queryKey: ['account', account.id] });
      await queries.invalidateQueries({ queryKey: ['accounts'] });
      showToast('Saved');
    },
  });
  const wanted = changeOf(edits, account);
  const isEmpty = wanted === undefined || Object.keys(wanted).length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wanted && !isEmpty) update.mutate(wanted);
  };
  const { error } = update;
  const text = (name: 'name' | 'broker', label: string) => (
    <Field label={label} required error={faultOf(error, name, label)}>
      {(control) => (
        <input
          {...control}
          maxLength={200}
          value={form[name]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      <Card
        title="Settings"
        hint={`Login ${account.login}, platform ${account.platform}, currency ${account.currency} and region ${account.region} stay as they are.`}
      >
        <form className="form" onSubmit={submit} noValidate>
          <div className="fields">
            {text('name', 'Name')}
            {text('broker', 'Broker')}
            <NumberField
              label="Leverage"
              text={form.leverage}
              change={(leverage) => change({ leverage })}
              rules={LEVERAGE}
              words={(value) => `1:${formatNumber(value, 2)}`}
              error={faultOf(error, 'leverage', 'Leverage')}
            />
            <Field
              label="Labels"
              hint="Separated by commas: a phase, a desk, a program"
              error={labelFault(readLabels(form.labels)) ?? faultOf(error, 'labels', 'Labels')}
            >
              {(control) => (
                <input
                  {...control}
                  maxLength={1100}
                  value={form.labels}
                  onChange={({ target }) => change({ labels: target.value })}
                />
              )}
            </Field>
            <ProfileField
              platform={account.platform}
              value={form.profileId}
              mayBeNone={account.profileId === undefined}
              error={faultOf(error, 'profileId', 'Profile')}
              choose={(profileId) => change({ profileId })}
            />
          </div>
          <ClockFields form={form} error={error} change={change} />
          {wanted?.brokerClock ? (
            <p className="note note-warn">
              The new clock applies from now on. Stored hours and periods keep the times they have;
              the running ones end as they began.
            </p>
          ) : null}
          <label className="check">
            <input
              type="checkbox"
              checked={form.deployed}
              onChange={(event) => change({ deployed: event.target.checked })}
            />
            Deployed: snapshots are expected, and an alarm sounds when none come
          </label>
          <label className="check">
            <input
              type="checkbox"
              checked={form.statisticsEnabled}
              onChange={(event) => change({ statisticsEnabled: event.target.checked })}
            />
            Statistics: trades and metrics can be read
          </label>
          <FormError error={error} parameters={PARAMETERS} />
          <Overtaken fields={overtaken} say={(field) => nowOf(formOf(account), field)} />
          <div className="form-buttons">
            <Button kind="primary" type="submit" busy={update.isPending} disabled={isEmpty}>
              Save changes
            </Button>
            {isEmpty ? <span className="hint">Nothing is changed yet.</span> : null}
          </div>
        </form>
      </Card>
      {account.sync ? <SyncCard account={account} sync={account.sync} /> : null}
      <DeleteCard account={account} />
    </>
  );
}

function DeleteCard({ account }: { account: AccountRecord }) {
  const queries = useQueryClient();
  const trackers = useTrackers(account.id).data?.length ?? 0;
  const removal = useMutation({
    mutationFn: () =>
      call<typeof deleteAccountOperation>('DELETE /users/current/accounts/:accountId', {
        params: { accountId: account.id },
      }),
    onSuccess: async () => {
      showToast(`${account.name} is deleted`);
      navigate(path.accounts());
      queries.removeQueries({ queryKey: ['account', account.id] });
      await queries.invalidateQueries({ queryKey: ['accounts'] });
    },
  });
  return (
    <Card title="Delete the account">
      <div className="row">
        <p>
          This deletes everything stored about it: trades, charts, trackers, incidents and their
          evidence. It can’t be undone.
        </p>
        <ConfirmButton
          question={`Delete ${account.name}?`}
          consequence={`Its deals, trades, charts, ${trackers === 1 ? 'its tracker' : `${trackers} trackers`}, incidents with their notes and evidence are deleted for everybody, at once and for good. The account on the platform is not touched.`}
          confirm="Delete the account"
          busy={removal.isPending}
          error={removal.error}
          action={() => removal.mutateAsync()}
        >
          Delete …
        </ConfirmButton>
      </div>
    </Card>
  );
}
