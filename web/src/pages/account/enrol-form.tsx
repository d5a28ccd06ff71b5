import type { ReactElement } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { NewEnrolment } from '../../../../src/contract/operations/enrolments.ts';
import type { ProgramPhaseRecord } from '../../../../src/contract/operations/programs.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { useTyped } from '../../lib/edits.ts';
import { formatMoney, formatNumber } from '../../lib/format.ts';
import { balanceRules, type EnrolledIn, toEnrolment } from '../../programs/enrolment-form.ts';
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
  children?: ReactElement;
}) {
  const { account, place, phase, close } = props;
  const { currency } = account;
  const may = useMay();
  const typed = useTyped({
    initialBalance: props.initialBalance ? formatNumber(props.initialBalance, 8) : '',
    start: '',
  });
  const enrol = useEnrol(account.id);
  const preview = useEnrolmentPreview();
  const params = { accountId: account.id };
  const body = toEnrolment(typed.form, props.into, currency);
  // What was answered to another wish says nothing of this one.
  const isOfThis = ({ variables }: { variables: { body: NewEnrolment } | undefined }): boolean =>
    JSON.stringify(variables?.body) === JSON.stringify(body);
  const error =
    (isOfThis(enrol) ? enrol.error : null) ?? (isOfThis(preview) ? preview.error : null);
  const submit = async (): Promise<void> => {
    if (!body) return;
    await enrol.mutateAsync({ params, body });
    showToast(`${account.name} is enrolled`);
    close();
  };
  return (
    <Form
      {...typed}
      fields={[
        props.children ?? null,
        {
          name: 'initialBalance',
          label: `Initial balance, ${currency}`,
          required: true,
          hint: 'Percentages are of this balance',
          rules: balanceRules(currency),
          words: (value) => formatMoney(value, currency),
        },
        {
          name: 'start',
          label: 'Begins at (broker time)',
          parameter: 'startBrokerTime',
          hint: 'Empty: with the next snapshot or deal; a trial: with its history',
          type: 'datetime-local',
        },
      ]}
      error={error}
      submit={submit}
      action={may.write && 'Enrol the account'}
      disabled={!body}
      busy={enrol.isPending}
      cancel={close}
      beside={
        <Button
          disabled={!body}
          busy={preview.isPending}
          onClick={() => body && preview.mutate({ params, body, onlyReads: true })}
        >
          Try on its history
        </Button>
      }
      after={
        preview.data && isOfThis(preview) ? (
          <EnrolmentPreview found={preview.data} phase={phase} currency={currency} />
        ) : null
      }
      aside={
        <div>
          <h3>
            Phase {place}: {phase.name}
          </h3>
          <PhaseBook phase={phase} />
        </div>
      }
    />
  );
}
