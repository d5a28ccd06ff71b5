import { type FormEvent, useId } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { AccountPicker } from '../../accounts/account-picker.tsx';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { faultOf } from '../../lib/faults.ts';
import { formatNumber } from '../../lib/format.ts';
import type { NumberRules } from '../../lib/read-number.ts';
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
const VOLUME_DIGITS = 8;
const PRICE_DIGITS = 10;
export const VOLUME: NumberRules = { units: ['lots', 'lot'], digits: VOLUME_DIGITS, min: 0 };
export const PRICE: NumberRules = { digits: PRICE_DIGITS, min: 0 };

export function MarginForm(props: {
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
      <AccountPicker
        label="Account"
        className="span"
        account={account}
        choose={(accountId) => change({ accountId })}
      />
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
        <NumberField
          label="Volume"
          hint="Lots, in the steps that the symbol allows"
          text={draft.volume}
          change={(volume) => change({ volume })}
          rules={VOLUME}
          words={(value) => `${formatNumber(value, VOLUME_DIGITS)} ${value === 1 ? 'lot' : 'lots'}`}
          error={faultOf(error, 'volume', 'Volume')}
        />
        <NumberField
          label="Price"
          hint="At which the order would open"
          text={draft.openPrice}
          change={(openPrice) => change({ openPrice })}
          rules={PRICE}
          words={(value) => formatNumber(value, PRICE_DIGITS)}
          error={faultOf(error, 'openPrice', 'Price')}
        />
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
