import { useEffect, useRef, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { NotThere } from '../../components/not-there.tsx';
import { Page } from '../../components/page.tsx';
import { faultOf } from '../../lib/faults.ts';
import { path } from '../../lib/path.ts';
import { numberOf, readNumber } from '../../lib/read-number.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import './margin.css';
import { type Draft, MarginForm, PRICE, VOLUME } from './margin-form.tsx';
import { MarginResult } from './margin-result.tsx';
import { orderTypesOf } from './order-words.ts';
import { useMarginAccount, useMarginCalculation } from './use-margin.ts';

export function MarginPage() {
  const accountId = useLocation().query.get('account') ?? undefined;
  const read = useMarginAccount(accountId);
  const { data: account } = read;
  return (
    <Page title="Margin calculator" lead="What an order would lock up, before you place it.">
      {account ? (
        <Calculator account={account} />
      ) : (
        <Card>
          {account === null && !read.error ? (
            <Empty title="No account yet" action={<a href={path.accounts()}>To the accounts</a>}>
              Margin depends on an account's currency and leverage, and on the symbols of its
              platform. Add an account first.
            </Empty>
          ) : (
            <NotThere
              what="account"
              read={read}
              action={<a href={path.margin()}>Choose another one</a>}
            />
          )}
        </Card>
      )}
    </Page>
  );
}

function Calculator({ account }: { account: AccountRecord }) {
  const [draft, setDraft] = useState<Omit<Draft, 'accountId'>>({
    symbol: '',
    type: 'ORDER_TYPE_BUY',
    volume: '',
    openPrice: '',
  });
  const calculation = useMarginCalculation();
  const change = ({ accountId, ...changes }: Partial<Draft>): void => {
    if (accountId !== undefined) replaceQuery({ account: accountId });
    setDraft({ ...draft, ...changes });
  };
  const isKnown = orderTypesOf(account.platform).some(({ value }) => value === draft.type);
  const type = isKnown ? draft.type : 'ORDER_TYPE_BUY';
  const submit = (): void => {
    const order = {
      symbol: draft.symbol.trim(),
      type,
      volume: numberOf(readNumber(draft.volume, VOLUME)) ?? 0,
      openPrice: numberOf(readNumber(draft.openPrice, PRICE)) ?? 0,
    };
    calculation.mutate({ account, order });
  };
  const { data, variables, error } = calculation;
  const result = useRef<HTMLDivElement>(null);
  // On a phone it is below the form.
  useEffect(() => {
    if (data) result.current?.scrollIntoView({ block: 'nearest' });
  }, [data]);
  return (
    <div className="grid margin-layout">
      <Card title="Order">
        <MarginForm
          account={account}
          draft={{ ...draft, type, accountId: account.id }}
          error={error}
          busy={calculation.isPending}
          change={change}
          submit={submit}
        />
      </Card>
      <div ref={result}>
        {data && variables ? (
          <MarginResult calculation={variables} margin={data.margin} />
        ) : (
          <Card title="Margin">
            <MarginHelp account={account} isUnknownSymbol={!!faultOf(error, 'symbol', '')} />
          </Card>
        )}
      </div>
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
