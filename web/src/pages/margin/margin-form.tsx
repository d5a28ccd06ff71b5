import { type FormEvent, useId } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { faultOf } from '../../lib/faults.ts';
import { orderTypesOf } from './order-words.ts';
import { useSymbolNames } from './use-margin.ts';

export type Draft = {
  accountId: string;
  symbol: string;
  type: string;
  volume: string;
  openPrice: string;
};

const PARAMETERS = ['symbol', 'type', 'volume', 'openPrice'];

export function MarginForm(props: {
  accounts: AccountRecord[];
  account: AccountRecord;
  draft: Draft;
  error: unknown;
  busy: boolean;
  change: (changes: Partial<Draft>) => void;
  submit: () => void;
}) {
  const { account, draft, error, change } = props;
  const symbols = useSymbolNames(account);
  const listId = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    props.submit();
  };
  return (
    <form className="form" onSubmit={submit} noValidate>
      <Field label="Account" className="span">
        {(control) => (
          <select
            {...control}
            value={account.id}
            onChange={(event) => change({ accountId: event.target.value })}
          >
            {props.accounts.map(({ id, name, login, currency }) => (
              <option key={id} value={id}>
                {name} · {login} · {currency}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="fields">
        <Field
          label="Symbol"
          hint="As the broker spells it"
          error={faultOf(error, 'symbol', 'This')}
        >
          {(control) => (
            <input
              {...control}
              list={listId}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              value={draft.symbol}
              onChange={(event) => change({ symbol: event.target.value })}
            />
          )}
        </Field>
        <datalist id={listId}>
          {symbols.map((symbol) => (
            <option key={symbol} value={symbol} />
          ))}
        </datalist>
        <Field label="Type" error={faultOf(error, 'type', 'Type')}>
          {(control) => (
            <select
              {...control}
              value={draft.type}
              onChange={(event) => change({ type: event.target.value })}
            >
              {orderTypesOf(account.platform).map(([type, name]) => (
                <option key={type} value={type}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Volume"
          hint="Lots, in the steps that the symbol allows"
          error={faultOf(error, 'volume', 'Volume')}
        >
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={draft.volume}
              onChange={(event) => change({ volume: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Price"
          hint="At which the order would open"
          error={faultOf(error, 'openPrice', 'Price')}
        >
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={draft.openPrice}
              onChange={(event) => change({ openPrice: event.target.value })}
            />
          )}
        </Field>
      </div>
      <FormError error={error} parameters={PARAMETERS} />
      <div className="form-buttons">
        <Button kind="primary" type="submit" busy={props.busy}>
          Calculate margin
        </Button>
      </div>
    </form>
  );
}
