import { type ReactNode, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { NewEnrolment } from '../../../../src/contract/operations/enrolments.ts';
import type { ProgramPhaseRecord } from '../../../../src/contract/operations/programs.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatMoney, formatNumber } from '../../lib/format.ts';
import {
  balanceRules,
  type EnrolledIn,
  type EnrolmentForm,
  toEnrolment,
} from '../../programs/enrolment-form.ts';
import { PhaseBook } from '../../programs/phase-book.tsx';
import { useEnrol, useEnrolmentPreview } from '../../programs/use-enrolments.ts';
import { useMay } from '../../shell/use-may.ts';
import { EnrolmentPreview } from './enrolment-preview.tsx';

/** Enrols the account in a phase, or tries the phase on its history first. */
export function EnrolForm(props: {
  account: AccountRecord;
  into: EnrolledIn;
  place: number;
  phase: ProgramPhaseRecord;
  /** That it probably begins with. */
  initialBalance?: number;
  close: () => void;
  /** Which phase, where that can be chosen. */
  children?: ReactNode;
}) {
  const { account, place, phase, close } = props;
  const { currency } = account;
  const may = useMay();
  const [form, setForm] = useState({
    initialBalance: props.initialBalance ? formatNumber(props.initialBalance, 8) : '',
    start: '',
  });
  const enrol = useEnrol(account.id);
  const preview = useEnrolmentPreview(account.id);
  const body = toEnrolment(form, props.into, currency);
  // What was answered to another wish says nothing of this one.
  const isOfThis = ({ variables }: { variables: NewEnrolment | undefined }): boolean =>
    JSON.stringify(variables) === JSON.stringify(body);
  const error =
    (isOfThis(enrol) ? enrol.error : null) ?? (isOfThis(preview) ? preview.error : null);
  const submit = async (): Promise<void> => {
    if (!body) return;
    await enrol.mutateAsync(body);
    showToast(`${account.name} is enrolled`);
    close();
  };
  return (
    <Form className="rule-form" error={error} submit={submit}>
      <div className="stack">
        {props.children}
        <EnrolFields currency={currency} form={form} change={setForm} />
        <FormEnd
          action={may.write ? 'Enrol the account' : undefined}
          disabled={!body}
          busy={enrol.isPending}
          cancel={close}
          beside={
            <Button
              disabled={!body}
              busy={preview.isPending}
              onClick={() => body && preview.mutate(body)}
            >
              Try on its history
            </Button>
          }
        />
        <div aria-live="polite">
          {preview.data && isOfThis(preview) ? (
            <EnrolmentPreview found={preview.data} phase={phase} currency={currency} />
          ) : null}
        </div>
      </div>
      <div>
        <h3>
          Phase {place}: {phase.name}
        </h3>
        <PhaseBook phase={phase} />
      </div>
    </Form>
  );
}

function EnrolFields(props: {
  currency: string;
  form: EnrolmentForm;
  change: (form: EnrolmentForm) => void;
}) {
  const { currency, form, change } = props;
  return (
    <div className="fields">
      <NumberField
        label={`Initial balance, ${currency}`}
        parameter="initialBalance"
        required
        hint="Percentages are of this balance"
        text={form.initialBalance}
        change={(initialBalance) => change({ ...form, initialBalance })}
        rules={balanceRules(currency)}
        words={(value) => formatMoney(value, currency)}
      />
      <TextField
        label="Begins at (broker time)"
        parameter="startBrokerTime"
        hint="Empty: with the next snapshot or deal; a trial: with its history"
        type="datetime-local"
        text={form.start}
        change={(start) => change({ ...form, start })}
      />
    </div>
  );
}
