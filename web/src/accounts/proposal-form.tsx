import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  StartedAccount,
  StatementProposal,
} from '../../../src/contract/operations/new-statements.ts';
import { ClockFields } from '../components/clock-fields.tsx';
import { clockFormOf } from '../components/clock-form.ts';
import { Form } from '../components/form.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { addressOf } from '../lib/api.ts';
import { formatMoney, formatNumber } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { UNREADABLE } from '../lib/read-number.ts';
import { navigate } from '../lib/route.ts';
import { type AccountForm, START, toNewAccount } from './account-form.ts';
import { AccountFields } from './add-account-dialog.tsx';
import { FirstDeals } from './first-deals.tsx';
import { sendFile } from './upload-statement.ts';

const TITLES: Record<StatementProposal['reasons'][number]['field'], string> = {
  broker: 'Broker',
  platform: 'Platform',
  login: 'Login',
  currency: 'Currency',
  leverage: 'Leverage',
  brokerClock: "Broker's clock",
};

/** The account that a statement makes, to be looked at and changed before it is made. */
export function ProposalForm(props: {
  file: File;
  proposal: StatementProposal;
  close: () => void;
}) {
  const { account, reasons, existing, statement } = props.proposal;
  const [form, setForm] = useState<AccountForm>(() => ({
    ...{ ...START, ...account, leverage: formatNumber(account.leverage) },
    ...{ ...clockFormOf(account.brokerClock), isClockTyped: true },
  }));
  const start = useStart(props.file);
  const wanted = toNewAccount(form);
  const guesses = reasons.filter(({ isTold, field }) => !isTold || field === 'brokerClock');
  return (
    <Form
      error={start.error}
      obstacle={wanted ? undefined : UNREADABLE}
      submit={() => wanted && start.mutate(wanted)}
    >
      <p className="note note-good" role="status">
        {props.file.name}: {formatNumber(statement.deals, 0)} deals, balance{' '}
        {formatMoney(statement.balance, statement.currency)}. Nothing is stored yet.
      </p>
      {existing.map(({ id, name }) => (
        <p key={id} className="note note-warn">
          “{name}” has this login already:{' '}
          <a href={path.account(id, { tab: 'import' })} onClick={props.close}>
            import the file there
          </a>
          .
        </p>
      ))}
      <AccountFields form={form} change={setForm} isOfFile />
      <ClockFields form={form} change={(clock) => setForm({ ...form, ...clock })} />
      <ul className="hint">
        {guesses.map(({ field, reason }) => (
          <li key={field}>
            {TITLES[field]}: {reason}.
          </li>
        ))}
        {statement.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      <FirstDeals {...statement} />
      <FormEnd action="Make the account and import" busy={start.isPending} cancel={props.close} />
    </Form>
  );
}

/** Makes the account, and goes to it. */
function useStart(file: File) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({
      brokerClock,
      ...account
    }: NonNullable<ReturnType<typeof toNewAccount>>): Promise<StartedAccount> =>
      sendFile(
        addressOf('/users/current/statements', {}, { create: true, ...account, ...brokerClock }),
        { file, isChange: true },
        () => {},
      ),
    onSuccess: async ({ accountId }) => {
      await queries.invalidateQueries({ queryKey: ['accounts'] });
      navigate(path.account(accountId));
    },
  });
}
