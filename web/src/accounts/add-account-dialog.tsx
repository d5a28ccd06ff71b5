import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { createAccountOperation } from '../../../src/contract/operations/accounts.ts';
import type { ProfileRecord } from '../../../src/contract/operations/profiles.ts';
import { Button } from '../components/button.tsx';
import {
  ClockFields,
  type ClockForm,
  readClock,
  USUAL_CLOCK,
} from '../components/clock-fields.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { FormError } from '../components/form-error.tsx';
import { NumberField } from '../components/number-field.tsx';
import { call } from '../lib/api.ts';
import { faultOf } from '../lib/faults.ts';
import { formatNumber } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { type NumberRules, numberOf, readNumber } from '../lib/read-number.ts';
import { navigate } from '../lib/route.ts';
import { ProfileField } from './profile-field.tsx';

const START = {
  name: '',
  broker: '',
  platform: 'p5' as 'p4' | 'p5',
  login: '',
  currency: 'USD',
  leverage: '100',
  profileId: '',
  ...USUAL_CLOCK,
};
type AccountForm = typeof START;

const LEVERAGE: NumberRules = { min: 0.01, max: 100_000, digits: 2 };
const PARAMETERS = [
  ...['name', 'broker', 'platform', 'login', 'currency', 'leverage', 'profileId'],
  ...['brokerClock.zone', 'brokerClock.shiftHours'],
];

/** An account that is read through a profile has the clock of its platform. */
export const clockOf = ({ brokerClock }: ProfileRecord): ClockForm => ({
  zone: brokerClock.zone,
  shiftHours: formatNumber(brokerClock.shiftHours ?? 0, 2),
});

/** An account that is filled from statements, by sending deals and snapshots, or through a profile. */
export function AddAccountDialog(props: {
  close: () => void;
  /** What is known of it already. */
  known?: Partial<AccountForm>;
}) {
  const [form, setForm] = useState<AccountForm>({ ...START, ...props.known });
  // What somebody typed is not overwritten by the clock of a profile that is chosen later.
  const [isClockTyped, setClockTyped] = useState(false);
  const queries = useQueryClient();
  const brokerClock = readClock(form);
  const leverage = numberOf(readNumber(form.leverage, LEVERAGE));
  const creation = useMutation({
    mutationFn: () =>
      call<typeof createAccountOperation>('POST /users/current/accounts', {
        body: {
          name: form.name.trim(),
          broker: form.broker.trim(),
          platform: form.platform,
          login: form.login.trim(),
          currency: form.currency.trim().toUpperCase(),
          leverage: leverage ?? 0,
          ...(brokerClock ? { brokerClock } : {}),
          ...(form.profileId ? { profileId: form.profileId } : {}),
        },
      }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['accounts'] });
      navigate(path.account(id, form.profileId ? {} : { tab: 'import' }));
    },
  });
  const { error } = creation;
  const change = (changes: Partial<AccountForm>): void => setForm({ ...form, ...changes });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // What can't be read says so at its field.
    if (brokerClock && leverage !== undefined) creation.mutate();
  };
  const text = (
    name: 'name' | 'broker' | 'login' | 'currency',
    label: string,
    hint?: string,
    attributes: Record<string, unknown> = {},
  ) => (
    <Field label={label} required hint={hint} error={faultOf(error, name, label)}>
      {(control) => (
        <input
          {...control}
          {...attributes}
          value={form[name]}
          maxLength={200}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Dialog title="Add an account" close={props.close}>
      <form className="stack" onSubmit={submit} noValidate>
        <p className="hint">
          Fill it from statements, with deals and snapshots that you send, or through a profile,
          which reads it from its platform. To open an account there, use Provisioning.
        </p>
        <div className="fields">
          {text('name', 'Name')}
          {text('broker', 'Broker')}
          <Field label="Platform" error={faultOf(error, 'platform', 'Platform')}>
            {(control) => (
              <select
                {...control}
                value={form.platform}
                onChange={(event) =>
                  change({ platform: event.target.value as 'p4' | 'p5', profileId: '' })
                }
              >
                <option value="p4">p4</option>
                <option value="p5">p5</option>
              </select>
            )}
          </Field>
          {text('login', 'Login', 'The number on the platform', { inputMode: 'numeric' })}
          {text('currency', 'Currency', 'Cannot be changed later')}
          <NumberField
            label="Leverage"
            text={form.leverage}
            change={(leverage) => change({ leverage })}
            rules={LEVERAGE}
            words={(value) => `1:${formatNumber(value, 2)}`}
            required
            error={faultOf(error, 'leverage', 'Leverage')}
          />
          <ProfileField
            platform={form.platform}
            value={form.profileId}
            mayBeNone
            error={faultOf(error, 'profileId', 'Profile')}
            choose={(profileId, profile) =>
              change({ profileId, ...(profile && !isClockTyped ? clockOf(profile) : {}) })
            }
          />
        </div>
        <ClockFields
          form={form}
          error={error}
          change={(clock) => {
            setClockTyped(true);
            change(clock);
          }}
        />
        <FormError error={error} parameters={PARAMETERS} />
        <div className="actions">
          <Button kind="primary" type="submit" busy={creation.isPending}>
            Add account
          </Button>
          <Button onClick={props.close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
