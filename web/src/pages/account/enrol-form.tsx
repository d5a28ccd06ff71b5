import type { ReactElement } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  EnrolmentPreviewRecord,
  NewEnrolment,
} from '../../../../src/contract/operations/enrolments.ts';
import type { ProgramPhaseRecord } from '../../../../src/contract/operations/programs.ts';
import { RULE_KINDS } from '../../../../src/words/programs.ts';
import { Badge } from '../../components/badge.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { useTyped } from '../../lib/edits.ts';
import { formatMoney, formatNumber } from '../../lib/format.ts';
import {
  balanceRules,
  countsAtOnce,
  type EnrolledIn,
  toEnrolment,
} from '../../programs/enrolment-form.ts';
import { PhaseBook } from '../../programs/phase-book.tsx';
import { ENROLMENT_STATES } from '../../programs/program-words.ts';
import { Progress } from '../../programs/progress.tsx';
import { useEnrol, useEnrolmentPreview } from '../../programs/use-enrolments.ts';
import { NoHistory, PreviewSight } from '../../rules/rule-preview.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStanding } from './use-account.ts';

/** Enrols the account in a phase, or tries the phase on its history first. */
export function EnrolForm(props: {
  account: AccountRecord;
  into: EnrolledIn;
  place: number;
  phase: ProgramPhaseRecord;
  /** Its probable initial balance. */
  initialBalance?: number;
  close: () => void;
  /** The phase, if there is a choice. */
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
  // An answer for other terms does not apply to these.
  const isOfThis = ({ variables }: { variables: { body: NewEnrolment } | undefined }): boolean =>
    JSON.stringify(variables?.body) === JSON.stringify(body);
  const { balance } = useStanding(account.id).data ?? {};
  const counts = body && countsAtOnce(body, balance, currency);
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
        counts ? (
          <p key="counts" className="note note-warn" role="status">
            {counts}
          </p>
        ) : null,
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

/** What would have become of the account under a phase. */
function EnrolmentPreview(props: {
  found: EnrolmentPreviewRecord;
  phase: ProgramPhaseRecord;
  currency: string;
}) {
  const { found, phase, currency } = props;
  const { startBrokerTime, endBrokerTime, brokerTime, state, rule } = found;
  if (!startBrokerTime || !endBrokerTime) {
    return <NoHistory />;
  }
  const { title, tone } = ENROLMENT_STATES[state];
  return (
    <div className="stack">
      <h3>Against the stored history</h3>
      <p>
        From <BrokerTime value={startBrokerTime} bare /> to <BrokerTime value={endBrokerTime} /> it
        would {brokerTime ? 'have ended as' : 'still be'} <Badge tone={tone}>{title}</Badge>
        {rule ? ` by ${RULE_KINDS[rule].toLowerCase()}` : ''}
        {brokerTime ? (
          <>
            {' '}
            at <BrokerTime value={brokerTime} bare />
          </>
        ) : null}
        .
      </p>
      <Progress standing={found} phase={phase} currency={currency} isOld={false} />
      <PreviewSight seenBy={found.seenBy} />
    </div>
  );
}
