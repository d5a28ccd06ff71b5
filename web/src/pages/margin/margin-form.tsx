import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { AccountPicker } from '../../accounts/account-picker.tsx';
import { Form } from '../../components/form.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { NumberRules } from '../../lib/read-number.ts';
import { type OrderType, orderTypesOf } from './order-words.ts';
import { useSymbolNames } from './use-margin.ts';

export type Draft = {
  accountId: string;
  symbol: string;
  type: OrderType;
  volume: string;
  openPrice: string;
};

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
  return (
    <Form
      form={draft}
      change={change}
      fields={[
        <AccountPicker
          key="account"
          label="Account"
          className="span"
          account={account}
          choose={(accountId) => change({ accountId })}
        />,
        {
          name: 'symbol',
          label: 'Symbol',
          subject: 'This',
          hint: 'As the broker spells it',
          suggestions: symbols,
        },
        { name: 'type', label: 'Type', options: orderTypesOf(account.platform) },
        {
          name: 'volume',
          label: 'Volume',
          hint: 'Lots, in the steps that the symbol allows',
          rules: VOLUME,
          words: (value) => `${formatNumber(value, VOLUME_DIGITS)} ${value === 1 ? 'lot' : 'lots'}`,
        },
        {
          name: 'openPrice',
          label: 'Price',
          hint: 'At which the order would open',
          rules: PRICE,
          words: (value) => formatNumber(value, PRICE_DIGITS),
        },
      ]}
      error={error}
      submit={props.submit}
      action="Calculate margin"
      busy={props.busy}
    />
  );
}
