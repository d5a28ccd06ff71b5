import type { ReactNode } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { TextField } from '../components/text-field.tsx';
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
  fields: ReactNode;
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
        className="rule-form"
        error={props.error}
        obstacle={props.obstacle}
        submit={props.submit}
      >
        <div className="stack">
          {props.fields}
          <TextField
            label="Name"
            parameter="name"
            hint={form.name === undefined ? 'Follows the rule until you change it' : undefined}
            maxLength={200}
            text={form.name ?? props.proposedName}
            change={(name) => props.change({ name })}
          />
          <FormEnd action={props.action} busy={props.isBusy} cancel={props.close} />
        </div>
        <div className="stack">
          <div>
            <h3>In plain words</h3>
            <p className="rule-words" aria-live="polite">
              {props.words}
            </p>
          </div>
          {props.aside}
        </div>
      </Form>
    </Dialog>
  );
}
