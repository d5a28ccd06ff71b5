import type { ReactNode } from 'react';
import { Dialog } from '../components/dialog.tsx';
import type { FieldTable } from '../components/field-table.ts';
import { Form } from '../components/form.tsx';
import type { RuleForm } from './rule-form.ts';
import './rules.css';

/** A dialog that makes a rule: its fields and name on one side, what they mean on the other. */
export function RuleFrame(props: {
  title: string;
  form: RuleForm;
  /** What the rule is called until somebody names it. */
  proposedName: string;
  /** What the rule means, or what is missing. */
  words: string;
  /** What keeps it from being saved. */
  obstacle: string | undefined;
  error: Error | null;
  /** What the button that saves says. */
  action: string;
  isBusy: boolean;
  /** The fields above the name. */
  fields: FieldTable<RuleForm>;
  /** What stands below the words. */
  aside: ReactNode;
  change: (changes: Partial<RuleForm>) => void;
  submit: () => unknown;
  close: () => void;
}) {
  const { form } = props;
  return (
    <Dialog title={props.title} close={props.close} wide>
      <Form
        form={{ ...form, name: form.name ?? props.proposedName }}
        change={props.change}
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
