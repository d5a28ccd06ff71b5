import type { FormEvent, ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { FormError } from '../components/form-error.tsx';
import { faultOf } from '../lib/faults.ts';
import { RULE_PARAMETERS } from './rule-fields.tsx';
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
  /** What keeps it from being saved, once somebody tried. */
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
  submit: (event: FormEvent) => void;
  close: () => void;
}) {
  const { form, error, obstacle } = props;
  return (
    <Dialog title={props.title} close={props.close} wide>
      <form className="rule-form" onSubmit={props.submit} noValidate>
        <div className="stack">
          {props.fields}
          <Field
            label="Name"
            hint={form.name === undefined ? 'Follows the rule until you change it' : undefined}
            error={faultOf(error, 'name', 'Name')}
          >
            {(control) => (
              <input
                {...control}
                value={form.name ?? props.proposedName}
                maxLength={200}
                onChange={({ target }) => props.change({ name: target.value })}
              />
            )}
          </Field>
          <FormError error={error} parameters={RULE_PARAMETERS} />
          {obstacle ? (
            <p className="note note-bad" role="alert">
              {obstacle}
            </p>
          ) : null}
          <div className="actions">
            <Button kind="primary" type="submit" busy={props.isBusy}>
              {props.action}
            </Button>
            <Button onClick={props.close}>Cancel</Button>
          </div>
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
      </form>
    </Dialog>
  );
}
