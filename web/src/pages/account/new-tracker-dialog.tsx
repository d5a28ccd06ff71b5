import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { createTrackerOperation } from '../../../../src/contract/operations/trackers.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { showToast } from '../../components/toast.tsx';
import { call } from '../../lib/api.ts';
import { faultOf } from '../../lib/faults.ts';
import { ActionFields } from '../../rules/action-fields.tsx';
import { FromTemplate } from '../../rules/from-template.tsx';
import { RULE_PARAMETERS, RuleFields } from '../../rules/rule-fields.tsx';
import { obstacleOf, type RuleForm, START, toNewTracker } from '../../rules/rule-form.ts';
import { RulePreview } from '../../rules/rule-preview.tsx';
import '../../rules/rules.css';
import { describeRule, nameOfRule } from '../../rules/rule-words.ts';

export function NewTrackerDialog(props: { account: AccountRecord; close: () => void }) {
  const { account, close } = props;
  const { currency } = account;
  const [form, setForm] = useState<RuleForm>(START);
  const [isTried, setTried] = useState(false);
  const queries = useQueryClient();
  const { name: _, ...rule } = toNewTracker(form, currency);
  const proposedName = nameOfRule(rule, currency);
  const obstacle = obstacleOf(form, currency);
  const creation = useMutation({
    mutationFn: () =>
      call<typeof createTrackerOperation>('POST /users/current/accounts/:accountId/trackers', {
        params: { accountId: account.id },
        body: toNewTracker(form, currency, proposedName),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['account', account.id] });
      const name = form.name ?? proposedName;
      showToast(form.isStatisticsOnly ? `“${name}” measures` : `“${name}” is watching`);
      close();
    },
  });
  const change = (changes: Partial<RuleForm>): void => setForm({ ...form, ...changes });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (obstacle === undefined) creation.mutate();
  };
  return (
    <Dialog title={`New tracker for ${account.name}`} close={close} wide>
      <form className="rule-form" onSubmit={submit} noValidate>
        <div className="stack">
          <FromTemplate currency={currency} take={setForm} />
          <RuleFields
            form={form}
            currency={currency}
            error={creation.error}
            change={change}
            actions={
              <ActionFields form={form} account={account} error={creation.error} change={change} />
            }
          />
          <Field
            label="Name"
            hint={form.name === undefined ? 'Follows the rule until you change it' : undefined}
            error={faultOf(creation.error, 'name', 'Name')}
          >
            {(control) => (
              <input
                {...control}
                value={form.name ?? proposedName}
                maxLength={200}
                onChange={(event) => setForm({ ...form, name: event.target.value })}
              />
            )}
          </Field>
          <FormError error={creation.error} parameters={RULE_PARAMETERS} />
          {isTried && obstacle ? (
            <p className="note note-bad" role="alert">
              {obstacle}
            </p>
          ) : null}
          <div className="actions">
            <Button kind="primary" type="submit" busy={creation.isPending}>
              Create tracker
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </div>
        <div className="stack">
          <div>
            <h3>In plain words</h3>
            <p className="rule-words" aria-live="polite">
              {obstacle ?? describeRule(rule, currency)}
            </p>
          </div>
          {obstacle === undefined ? <RulePreview account={account} rule={rule} /> : null}
        </div>
      </form>
    </Dialog>
  );
}
