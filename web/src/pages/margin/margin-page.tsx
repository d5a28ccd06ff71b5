import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { faultOf } from '../../lib/faults.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import '../../styles/forms.css';
import './margin.css';
import { type Draft, MarginForm } from './margin-form.tsx';
import { MarginResult } from './margin-result.tsx';
import { orderTypesOf, readNumber } from './order-words.ts';
import { MAX_ACCOUNTS, useAccountChoice, useMarginCalculation } from './use-margin.ts';

export function MarginPage() {
  const { data: accounts, error, refetch } = useAccountChoice();
  return (
    <Page title="Margin calculator" lead="What an order would lock up, before you place it.">
      {accounts && accounts.length > 0 ? (
        <Calculator accounts={accounts} />
      ) : (
        <Card>
          {error ? (
            <ErrorNote error={error} retry={refetch} />
          ) : accounts ? (
            <Empty title="No account yet" action={<a href={path.accounts()}>To the accounts</a>}>
              Margin depends on an account's currency and leverage, and on the symbols of its
              platform. Add an account first.
            </Empty>
          ) : (
            <Loading label="Loading accounts" lines={5} />
          )}
        </Card>
      )}
    </Page>
  );
}

function Calculator({ accounts }: { accounts: AccountRecord[] }) {
  const chosenId = useLocation().query.get('account');
  // An account that is read from a platform knows its symbols by itself.
  const account =
    accounts.find(({ id }) => id === chosenId) ??
    accounts.find(({ profileId }) => profileId !== undefined) ??
    accounts[0];
  const [draft, setDraft] = useState<Omit<Draft, 'accountId'>>({
    symbol: '',
    type: 'ORDER_TYPE_BUY',
    volume: '0.1',
    openPrice: '',
  });
  const calculation = useMarginCalculation();
  if (!account) return null;
  const change = ({ accountId, ...changes }: Partial<Draft>): void => {
    if (accountId !== undefined) replaceQuery({ account: accountId });
    setDraft({ ...draft, ...changes });
  };
  const isKnown = orderTypesOf(account.platform).some(([type]) => type === draft.type);
  const type = isKnown ? draft.type : 'ORDER_TYPE_BUY';
  const submit = (): void => {
    const order = {
      symbol: draft.symbol.trim(),
      type,
      volume: readNumber(draft.volume),
      openPrice: readNumber(draft.openPrice),
    };
    calculation.mutate({ account, order });
  };
  const { data, variables, error } = calculation;
  return (
    <div className="grid margin-layout">
      <Card title="Order">
        <MarginForm
          accounts={accounts}
          account={account}
          draft={{ ...draft, type, accountId: account.id }}
          error={error}
          busy={calculation.isPending}
          change={change}
          submit={submit}
        />
        {accounts.length === MAX_ACCOUNTS ? (
          <p className="hint">
            Only the first {MAX_ACCOUNTS} accounts are listed. Open another account's page and
            follow its link to this calculator.
          </p>
        ) : null}
      </Card>
      {data && variables ? (
        <MarginResult calculation={variables} margin={data.margin} />
      ) : (
        <Card title="Margin">
          <MarginHelp account={account} isUnknownSymbol={!!faultOf(error, 'symbol', '')} />
        </Card>
      )}
    </div>
  );
}

function MarginHelp(props: { account: AccountRecord; isUnknownSymbol: boolean }) {
  const { account } = props;
  if (props.isUnknownSymbol && account.profileId === undefined)
    return (
      <p>
        This account is not read from a platform, so Plimsoll knows only the symbols and quotes that
        were sent for it. Send them with <code>PUT …/accounts/{account.id}/market</code>, or bind
        the account to a <a href={path.provisioning()}>provisioning profile</a>.
      </p>
    );
  return (
    <Empty title="Nothing calculated yet">
      Fill in an order. The answer is in {account.currency}, the currency of this account.
    </Empty>
  );
}
