import { type FormEvent, useState } from 'react';
import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Field } from '../components/field.tsx';
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(
      { ...toTemplate({ ...rule, name: name.trim() }, currency), replaces },
      {
        onSuccess: () => {
          showToast('Saved: the page Rules has it');
          close();
        },
      },
    );
  };
  return (
    <Dialog title="Save as a template" close={close}>
      <form className="stack" onSubmit={submit}>
        {save.error ? <ErrorNote error={save.error} /> : null}
        <p className="rule-words">{describeRule(rule, currency)}</p>
        <Field
          label="Name"
          required
          hint={
            isTaken
              ? 'A template with this name exists and will be replaced.'
              : 'Trackers created from it get this name too.'
          }
        >
          {(control) => (
            <input
              {...control}
              value={name}
              maxLength={200}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <div className="actions">
          <Button kind="primary" type="submit" busy={save.isPending} disabled={name.trim() === ''}>
            {isTaken ? 'Replace it' : 'Save'}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
