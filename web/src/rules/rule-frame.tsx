import type { ReactNode } from 'react';
import { Dialog } from '../components/dialog.tsx';
import type { FieldTable } from '../components/field-table.ts';
import { Form } from '../components/form.tsx';
import type { Draft } from '../lib/drafts.ts';
import type { RuleForm } from './rule-form.ts';
import './rules.css';

/** A dialog for a rule: its fields and name on one side, their meaning on the other. */
export function RuleFrame(props: {
  title: string;
  form: RuleForm;
  /** The rule's name until the user gives one. */
  proposedName: string;
  /** The meaning of the rule, or what is missing. */
  words: string;
  /** Why it can't be saved. */
  obstacle: string | undefined;
  error: Error | null;
  /** The text of the save button. */
  action: string;
  isBusy: boolean;
  /** The fields above the name. */
  fields: FieldTable<RuleForm>;
  /** Below the words. */
  aside: ReactNode;
  change: (changes: Partial<RuleForm>) => void;
  draft?: Draft | undefined;
  submit: () => unknown;
  close: () => void;
}) {
  const { form } = props;
  return (
    <Dialog title={props.title} close={props.close} wide>
      <Form
        form={{ ...form, name: form.name ?? props.proposedName }}
        change={props.change}
        draft={props.draft}
        fields={[
          ...props.fields,
          {
            name: 'name',
            label: 'Name',
            hint: form.name === undefined ? 'Follows the rule until you change it' : undefined,
            maxLength: 200,
          },
        ]}
        error={props.error}
        obstacle={props.obstacle}
        submit={props.submit}
        action={props.action}
        busy={props.isBusy}
        cancel={props.close}
        aside={
          <>
            <div>
              <h3>In plain words</h3>
              <p className="rule-words" aria-live="polite">
                {props.words}
              </p>
            </div>
            {props.aside}
          </>
        }
      />
    </Dialog>
  );
}
