import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { showToast } from '../components/toast.tsx';
import { useTyped } from '../lib/edits.ts';
import { describeRule } from './rule-words.ts';
import './rules.css';
import { toTemplate, useSaveTemplate, useTemplates } from './use-templates.ts';

/** Saves a tracker's rule for other accounts, and for all users of these accounts. */
export function SaveTemplateDialog(props: {
  rule: NewTracker;
  currency: string;
  close: () => void;
}) {
  const { rule, currency, close } = props;
  const typed = useTyped({ name: rule.name });
  const name = typed.form.name.trim();
  const templates = useTemplates().data ?? [];
  const save = useSaveTemplate();
  const taken = templates.find((each) => each.name === name);
  const isTaken = taken !== undefined;
  const submit = (): void =>
    save.mutate(toTemplate({ ...rule, name }, currency, taken?.changedAt ?? 'none'), {
      onSuccess: () => {
        showToast('Saved to the Rules page');
        close();
      },
    });
  return (
    <Dialog title="Save as a template" close={close}>
      <Form
        {...typed}
        fields={[
          <p key="rule" className="rule-words">
            {describeRule(rule, currency)}
          </p>,
          {
            name: 'name',
            label: 'Name',
            required: true,
            hint: isTaken
              ? 'A template with this name exists and will be replaced.'
              : 'Trackers created from it get this name too.',
            maxLength: 200,
          },
        ]}
        error={save.error}
        submit={submit}
        action={isTaken ? 'Replace it' : 'Save'}
        busy={save.isPending}
        disabled={name === ''}
        cancel={close}
      />
    </Dialog>
  );
}
