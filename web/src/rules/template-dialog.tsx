import { type FormEvent, useState } from 'react';
import type { RuleTemplateRecord } from '../../../src/contract/operations/rule-templates.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { FormError } from '../components/form-error.tsx';
import { showToast } from '../components/toast.tsx';
import { faultOf } from '../lib/faults.ts';
import { ActionFields } from './action-fields.tsx';
import { RULE_PARAMETERS, RuleFields } from './rule-fields.tsx';
import { formOf, obstacleOf, type RuleForm, START, toNewTracker } from './rule-form.ts';
import './rules.css';
import { describeRule, hasMoney, nameOfRule } from './rule-words.ts';
import { toTemplate, useDeleteTemplate, useSaveTemplate } from './use-templates.ts';

const CURRENCY = /^[A-Z]{3,5}$/;

/** Makes a template, or changes one. */
export function TemplateDialog(props: { template?: RuleTemplateRecord; close: () => void }) {
  const { template, close } = props;
  const [form, setForm] = useState<RuleForm>(() =>
    template ? formOf({ ...template.rule, name: template.name }) : START,
  );
  const [typed, setTyped] = useState(template?.currency ?? 'USD');
  const [isTried, setTried] = useState(false);
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
  const error = save.error ?? removal.error;
  const change = (changes: Partial<RuleForm>): void => setForm({ ...form, ...changes });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (obstacle !== undefined) return;
    await save.mutateAsync(toTemplate({ ...rule, name }, currency));
    if (template && template.name !== name) await removal.mutateAsync(template.name);
    showToast(`“${name}” is saved`);
    close();
  };
  return (
    <Dialog title={template ? `Change “${template.name}”` : 'New template'} close={close} wide>
      <form
        className="rule-form"
        // A failure is in `error`.
        onSubmit={(event) => void submit(event).catch(() => undefined)}
        noValidate
      >
        <div className="stack">
          <Field label="Currency of its amounts" hint="It matters only where the rule has any">
            {(control) => (
              <input
                {...control}
                value={typed}
                maxLength={5}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
          <RuleFields
            form={form}
            currency={currency}
            error={error}
            change={change}
            isForMany
            actions={<ActionFields form={form} error={error} change={change} />}
          />
          <Field
            label="Name"
            hint={form.name === undefined ? 'Follows the rule until you change it' : undefined}
            error={faultOf(error, 'name', 'Name')}
          >
            {(control) => (
              <input
                {...control}
                value={form.name ?? proposedName}
                maxLength={200}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
          <FormError error={error} parameters={RULE_PARAMETERS} />
          {isTried && obstacle ? (
            <p className="note note-bad" role="alert">
              {obstacle}
            </p>
          ) : null}
          <div className="actions">
            <Button kind="primary" type="submit" busy={save.isPending || removal.isPending}>
              Save template
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
          <p className="hint">
            Trackers that were made by a template stay as they are when it changes: what they
            measured stays comparable.
          </p>
        </div>
      </form>
    </Dialog>
  );
}
