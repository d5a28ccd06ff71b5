import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { labelAccountsOperation } from '../../../../src/contract/operations/accounts.ts';
import { AccountChoice, type Chosen } from '../../accounts/account-choice.tsx';
import { labelFault, readLabels } from '../../accounts/labels.ts';
import type { Which } from '../../accounts/read-fitting.ts';
import { useLabels } from '../../accounts/use-labels.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { showToast } from '../../components/toast.tsx';
import { call } from '../../lib/api.ts';
import { faultOf } from '../../lib/faults.ts';
import { formatNumber } from '../../lib/format.ts';

/** Gives labels to many accounts, or takes them away. */
export function LabelDialog(props: { start: Which; close: () => void }) {
  const { search, label, filter } = props.start;
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const queries = useQueryClient();
  const [add, remove] = [readLabels(added), readLabels(removed)];
  const change = useMutation({
    mutationFn: () =>
      call<typeof labelAccountsOperation>('PATCH /users/current/account-labels', {
        body: {
          accountIds: [...chosen.keys()],
          ...(add.length > 0 ? { add } : {}),
          ...(remove.length > 0 ? { remove } : {}),
        },
      }),
    onSuccess: async ({ changed }) => {
      await queries.invalidateQueries({ queryKey: ['accounts'] });
      await queries.invalidateQueries({ queryKey: ['account'] });
      showToast(
        changed === 1 ? '1 account changed' : `${formatNumber(changed, 0)} accounts changed`,
      );
      props.close();
    },
  });
  const { error } = change;
  const isEmpty = chosen.size === 0 || add.length + remove.length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty) change.mutate();
  };
  return (
    <Dialog title="Label accounts" close={props.close} wide>
      <form className="stack" onSubmit={submit} noValidate>
        <div className="fields">
          <LabelField
            label="Add"
            hint="Labels separated by commas: a phase, a desk, a program"
            text={added}
            change={setAdded}
            error={labelFault(add) ?? faultOf(error, 'add', 'This')}
          />
          <LabelField
            label="Take away"
            text={removed}
            change={setRemoved}
            error={labelFault(remove) ?? faultOf(error, 'remove', 'This')}
          />
        </div>
        <AccountChoice
          start={{ search, label, filter }}
          chosen={chosen}
          choose={setChosen}
          isFixed={change.isPending}
        />
        <FormError error={error} parameters={['add', 'remove']} />
        <div className="actions">
          <Button kind="primary" type="submit" busy={change.isPending} disabled={isEmpty}>
            {chosen.size === 1
              ? 'Change 1 account'
              : `Change ${formatNumber(chosen.size, 0)} accounts`}
          </Button>
          <Button onClick={props.close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

function LabelField(props: {
  label: string;
  hint?: string;
  text: string;
  change: (text: string) => void;
  error: string | undefined;
}) {
  const listId = useId();
  const labels = useLabels().data ?? [];
  return (
    <Field label={props.label} hint={props.hint} error={props.error}>
      {(control) => (
        <>
          <input
            {...control}
            list={listId}
            autoComplete="off"
            maxLength={1100}
            value={props.text}
            onChange={({ target }) => props.change(target.value)}
          />
          <datalist id={listId}>
            {labels.map(({ label }) => (
              <option key={label} value={label} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
