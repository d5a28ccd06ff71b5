import { useState } from 'react';
import type { labelAccountsOperation } from '../../../../src/contract/operations/accounts.ts';
import { AccountChoice, type Chosen } from '../../accounts/account-choice.tsx';
import { labelFault, MAX_LABELS_LENGTH, readLabels } from '../../accounts/labels.ts';
import type { Which } from '../../accounts/read-fitting.ts';
import { useLabels } from '../../accounts/use-labels.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { useTyped } from '../../lib/edits.ts';
import { countOf } from '../../lib/format.ts';
import { useChange } from '../../lib/use-operation.ts';

/** Gives labels to many accounts, or removes them. */
export function LabelDialog(props: { start: Which; close: () => void }) {
  const { search, label, filter } = props.start;
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const typed = useTyped({ add: '', remove: '' });
  const labels = (useLabels().data ?? []).map((each) => each.label);
  const [add, remove] = [readLabels(typed.form.add), readLabels(typed.form.remove)];
  const change = useChange<typeof labelAccountsOperation>(
    'PATCH /users/current/account-labels',
    ['accounts'],
    ['account'],
  );
  const submit = async (): Promise<void> => {
    const { changed } = await change.mutateAsync({
      body: {
        accountIds: [...chosen.keys()],
        ...(add.length > 0 ? { add } : {}),
        ...(remove.length > 0 ? { remove } : {}),
      },
    });
    showToast(`${countOf(changed, 'account')} changed`);
    props.close();
  };
  const isEmpty = chosen.size === 0 || add.length + remove.length === 0;
  return (
    <Dialog title="Label accounts" close={props.close} wide>
      <Form
        {...typed}
        fields={[
          {
            name: 'add',
            label: 'Add',
            fault: labelFault(add),
            hint: 'Labels separated by commas: a phase, a desk, a program',
            maxLength: MAX_LABELS_LENGTH,
            suggestions: labels,
          },
          {
            name: 'remove',
            label: 'Remove',
            fault: labelFault(remove),
            maxLength: MAX_LABELS_LENGTH,
            suggestions: labels,
          },
          <AccountChoice
            key="accounts"
            start={{ search, label, filter }}
            chosen={chosen}
            choose={setChosen}
            isFixed={change.isPending}
          />,
        ]}
        error={change.error}
        submit={submit}
        action={`Change ${countOf(chosen.size, 'account')}`}
        busy={change.isPending}
        disabled={isEmpty}
        cancel={props.close}
      />
    </Dialog>
  );
}
