import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { createAccountOperation } from '../../../../src/contract/operations/accounts.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { call } from '../../lib/api.ts';
import { path } from '../../lib/path.ts';
import { navigate } from '../../lib/route.ts';

const START = {
  name: '',
  broker: '',
  platform: 'p5' as 'p4' | 'p5',
  login: '',
  currency: 'USD',
  leverage: '100',
};

/** An account that is filled from statements or by sending deals and snapshots. */
export function AddAccountDialog(props: { close: () => void }) {
  const [values, setValues] = useState(START);
  const queries = useQueryClient();
  const creation = useMutation({
    mutationFn: () =>
      call<typeof createAccountOperation>('POST /users/current/accounts', {
        body: {
          ...values,
          currency: values.currency.trim().toUpperCase(),
          leverage: Number(values.leverage),
        },
      }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['accounts'] });
      navigate(path.account(id, { tab: 'import' }));
    },
  });
  const set = (name: keyof typeof START) => (event: { target: { value: string } }) =>
    setValues({ ...values, [name]: event.target.value });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <Dialog title="Add an account" close={props.close}>
      <form className="stack" onSubmit={submit}>
        <p className="hint">
          For an account whose statements you import or whose deals and snapshots you send. To open
          one on a platform, use Provisioning.
        </p>
        {creation.error ? <ErrorNote error={creation.error} /> : null}
        <div className="fields">
          <Field label="Name" required>
            {(control) => (
              <input {...control} value={values.name} onChange={set('name')} maxLength={200} />
            )}
          </Field>
          <Field label="Broker" required>
            {(control) => (
              <input {...control} value={values.broker} onChange={set('broker')} maxLength={200} />
            )}
          </Field>
          <Field label="Platform">
            {(control) => (
              <select {...control} value={values.platform} onChange={set('platform')}>
                <option value="p4">p4</option>
                <option value="p5">p5</option>
              </select>
            )}
          </Field>
          <Field label="Login" required hint="The number on the platform">
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                pattern="[0-9]{1,18}"
                value={values.login}
                onChange={set('login')}
              />
            )}
          </Field>
          <Field label="Currency" required hint="Cannot be changed later">
            {(control) => (
              <input
                {...control}
                pattern="[A-Za-z]{3,5}"
                value={values.currency}
                onChange={set('currency')}
              />
            )}
          </Field>
          <Field label="Leverage" required hint="100 for 1:100">
            {(control) => (
              <input
                {...control}
                type="number"
                min="1"
                value={values.leverage}
                onChange={set('leverage')}
              />
            )}
          </Field>
        </div>
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
