import { useState } from 'react';
import type { RuleTemplateRecord } from '../../../src/contract/operations/rule-templates.ts';
import { TextField } from '../components/text-field.tsx';
import { showToast } from '../components/toast.tsx';
import { useTyped } from '../lib/edits.ts';
import { ActionFields } from './action-fields.tsx';
import { ruleFields } from './rule-fields.tsx';
import { formOf, obstacleOf, type RuleForm, START, toNewTracker } from './rule-form.ts';
import { RuleFrame } from './rule-frame.tsx';
import { describeRule, hasMoney, nameOfRule } from './rule-words.ts';
import { toTemplate, useDeleteTemplate, useSaveTemplate } from './use-templates.ts';

const CURRENCY = /^[A-Z]{3,5}$/;

/** Creates a template, or changes one. */
export function TemplateDialog(props: { template?: RuleTemplateRecord; close: () => void }) {
  const { close } = props;
  // It is replaced as a whole, by name and time: only the opened version may be replaced.
  const [template] = useState(props.template);
  const { form, change, draft } = useTyped<RuleForm>(
    () => (template ? formOf({ ...template.rule, name: template.name }) : START),
    `template ${template?.name ?? 'new'} ${template?.changedAt ?? ''}`,
  );
  const [typed, setTyped] = useState(template?.currency ?? 'USD');
  const currency = typed.trim().toUpperCase();
  const save = useSaveTemplate();
  const removal = useDeleteTemplate();
  const { name: _, ...rule } = toNewTracker(form, currency);
  const proposedName = nameOfRule(rule, currency);
  const name = (form.name ?? proposedName).trim();
  const obstacle =
    obstacleOf(form, currency) ??
    (name === '' ? 'Give the template a name.' : undefined) ??
    (hasMoney(rule) && !CURRENCY.test(currency)
      ? 'Say in which currency the amounts are, such as USD.'
      : undefined);
  const submit = async (): Promise<void> => {
    const isRenamed = template !== undefined && template.name !== name;
    const seen = template?.changedAt ?? 'none';
    const replaces = isRenamed ? 'none' : seen;
    await save.mutateAsync(toTemplate({ ...rule, name }, currency, replaces));
    if (isRenamed) {
      await removal.mutateAsync({ params: { name: template.name }, query: { replaces: seen } });
    }
    showToast(`“${name}” is saved`);
    close();
  };
  return (
    <RuleFrame
      title={template ? `Change “${template.name}”` : 'New template'}
      form={form}
      proposedName={proposedName}
      words={obstacle ?? describeRule(rule, currency)}
      obstacle={obstacle}
      error={save.error ?? removal.error}
      action="Save template"
      isBusy={save.isPending || removal.isPending}
      change={change}
      draft={draft}
      submit={submit}
      close={close}
      fields={[
        <TextField
          key="currency"
          label="Currency of its amounts"
          hint="Only needed if the rule has amounts"
          maxLength={5}
          text={typed}
          change={setTyped}
        />,
        ...ruleFields({
          form,
          currency,
          change,
          isForMany: true,
          actions: <ActionFields key="actions" form={form} change={change} />,
        }),
      ]}
      aside={
        <p className="hint">
          Trackers created from a template stay as they are when it changes, so what they measured
          stays comparable.
        </p>
      }
    />
  );
}
