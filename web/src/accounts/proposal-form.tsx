import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  StartedAccount,
  StatementProposal,
} from '../../../src/contract/operations/new-statements.ts';
import { clockFields } from '../components/clock-fields.tsx';
import { clockFormOf } from '../components/clock-form.ts';
import { Form } from '../components/form.tsx';
import { addressOf } from '../lib/api.ts';
import { useTyped } from '../lib/edits.ts';
import { countOf, formatMoney } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { type AccountForm, FIELDS, leverageWords, START, toNewAccount } from './account-form.ts';
import { FirstDeals } from './first-deals.tsx';
import { fileNameOf, sendFile } from './upload-statement.ts';

const TITLES: Record<StatementProposal['reasons'][number]['field'], string> = {
  broker: 'Broker',
  platform: 'Platform',
  login: 'Login',
  currency: 'Currency',
  leverage: 'Leverage',
  brokerClock: "Broker's clock",
};

/** The account that a statement would create, to be checked and changed before. */
export function ProposalForm(props: {
  file: File;
  proposal: StatementProposal;
  done: (accountId: string) => void;
  close: () => void;
}) {
  const { account, reasons, existing, statement } = props.proposal;
  const typed = useTyped<AccountForm>(() => ({
    ...START,
    ...account,
    leverage: leverageWords(account.leverage),
    ...clockFormOf(account.brokerClock),
    isClockTyped: true,
  }));
  const start = useStart(props.file, props.done);
  const wanted = toNewAccount(typed.form);
  const guesses = reasons.filter(({ isTold, field }) => !isTold || field === 'brokerClock');
  return (
    <Form
      {...typed}
      fields={[
        <p key="read" className="note note-good" role="status">
          {props.file.name} has {countOf(statement.deals, 'deal')}, balance{' '}
          {formatMoney(statement.balance, statement.currency)}. Nothing is stored yet.
        </p>,
        ...existing.map(({ id, name }) => (
          <p key={id} className="note note-warn">
            “{name}” has this login already:{' '}
            <a href={path.account(id, { tab: 'import' })} onClick={props.close}>
              import the file there
            </a>
            .
          </p>
        )),
        ...FIELDS,
        clockFields(typed.form),
        <ul key="guesses" className="hint">
          {guesses.map(({ field, reason }) => (
            <li key={field}>
              {TITLES[field]}: {reason}.
            </li>
          ))}
          {statement.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>,
        <FirstDeals key="deals" {...statement} />,
      ]}
      error={start.error}
      submit={() => wanted && start.mutate(wanted)}
      action="Make the account and import"
      busy={start.isPending}
      cancel={props.close}
    />
  );
}

/** Creates the account. */
function useStart(file: File, done: (accountId: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({
      brokerClock,
      ...account
    }: NonNullable<ReturnType<typeof toNewAccount>>): Promise<StartedAccount> =>
      sendFile(
        addressOf(
          '/users/current/statements',
          {},
          {
            ...{ create: true, fileName: fileNameOf(file) },
            ...account,
            ...brokerClock,
          },
        ),
        { file, isChange: true },
        () => {},
      ),
    onSuccess: async ({ accountId }) => {
      await queries.invalidateQueries({ queryKey: ['accounts'] });
      done(accountId);
    },
  });
}
