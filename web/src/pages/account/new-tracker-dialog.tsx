import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { createTrackerOperation } from '../../../../src/contract/operations/trackers.ts';
import { showToast } from '../../components/toast.tsx';
import { useTyped } from '../../lib/edits.ts';
import { useChange } from '../../lib/use-operation.ts';
import { ActionFields } from '../../rules/action-fields.tsx';
import { FromTemplate } from '../../rules/from-template.tsx';
import { ruleFields } from '../../rules/rule-fields.tsx';
import { obstacleOf, type RuleForm, START, toNewTracker } from '../../rules/rule-form.ts';
import { RuleFrame } from '../../rules/rule-frame.tsx';
import { RulePreview } from '../../rules/rule-preview.tsx';
import { describeRule, nameOfRule } from '../../rules/rule-words.ts';

export function NewTrackerDialog(props: { account: AccountRecord; close: () => void }) {
  const { account, close } = props;
  const { currency } = account;
  const { form, change } = useTyped<RuleForm>(START);
  const { name: _, ...rule } = toNewTracker(form, currency);
  const proposedName = nameOfRule(rule, currency);
  const obstacle = obstacleOf(form, currency);
  const creation = useChange<typeof createTrackerOperation>(
    'POST /users/current/accounts/:accountId/trackers',
    ['account', account.id],
  );
  const submit = async (): Promise<void> => {
    const body = toNewTracker(form, currency, proposedName);
    await creation.mutateAsync({ params: { accountId: account.id }, body });
    const name = form.name ?? proposedName;
    showToast(form.isStatisticsOnly ? `“${name}” measures` : `“${name}” is watching`);
    close();
  };
  return (
    <RuleFrame
      title={`New tracker for ${account.name}`}
      form={form}
      proposedName={proposedName}
      words={obstacle ?? describeRule(rule, currency)}
      obstacle={obstacle}
      error={creation.error}
      action="Create tracker"
      isBusy={creation.isPending}
      change={change}
      submit={submit}
      close={close}
      fields={[
        <FromTemplate key="template" currency={currency} take={change} />,
        ...ruleFields({
          form,
          currency,
          change,
          actions: <ActionFields key="actions" form={form} account={account} change={change} />,
        }),
      ]}
      aside={obstacle === undefined ? <RulePreview account={account} rule={rule} /> : null}
    />
  );
}
