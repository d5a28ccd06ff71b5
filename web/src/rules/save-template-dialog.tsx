import { useState } from 'react';
import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { TextField } from '../components/text-field.tsx';
import { showToast } from '../components/toast.tsx';
import { describeRule } from './rule-words.ts';
import './rules.css';
import { toTemplate, useSaveTemplate, useTemplates } from './use-templates.ts';

/** Saves the rule of a tracker for other accounts, and for all who share these accounts. */
export function SaveTemplateDialog(props: {
  rule: NewTracker;
  currency: string;
  close: () => void;
}) {
  const { rule, currency, close } = props;
  const [name, setName] = useState(rule.name);
  const templates = useTemplates().data ?? [];
  const save = useSaveTemplate();
  const taken = templates.find((each) => each.name === name.trim());
  const isTaken = taken !== undefined;
  const replaces = taken?.changedAt ?? 'none';
  const submit = (): void =>
    save.mutate(
      { ...toTemplate({ ...rule, name: name.trim() }, currency), replaces },
      {
        onSuccess: () => {
          showToast('Saved to the Rules page');
          close();
        },
      },
    );
  return (
    <Dialog title="Save as a template" close={close}>
      <Form error={save.error} submit={submit}>
        <p className="rule-words">{describeRule(rule, currency)}</p>
        <TextField
          label="Name"
          parameter="name"
          required
          hint={
            isTaken
              ? 'A template with this name exists and will be replaced.'
              : 'Trackers created from it get this name too.'
          }
          maxLength={200}
          text={name}
          change={setName}
        />
        <FormEnd
          action={isTaken ? 'Replace it' : 'Save'}
          busy={save.isPending}
          disabled={name.trim() === ''}
          cancel={close}
        />
      </Form>
    </Dialog>
  );
}
