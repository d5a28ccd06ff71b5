import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { AccountPicker } from '../../accounts/account-picker.tsx';
import { ChoiceField } from '../../components/choice-field.tsx';
import { Form } from '../../components/form.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { formatNumber } from '../../lib/format.ts';
import { type NumberRules, readNumber, UNREADABLE } from '../../lib/read-number.ts';
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
  const isUnreadable = [readNumber(draft.volume, VOLUME), readNumber(draft.openPrice, PRICE)].some(
    ({ kind }) => kind === 'unreadable',
  );
  return (
    <Form error={error} obstacle={isUnreadable ? UNREADABLE : undefined} submit={props.submit}>
      <AccountPicker
        label="Account"
        className="span"
        account={account}
        choose={(accountId) => change({ accountId })}
      />
      <div className="fields">
        <TextField
          label="Symbol"
          parameter="symbol"
          subject="This"
          hint="As the broker spells it"
          suggestions={symbols}
          text={draft.symbol}
          change={(symbol) => change({ symbol })}
        />
        <ChoiceField
          label="Type"
          parameter="type"
          options={orderTypesOf(account.platform)}
          value={draft.type}
          choose={(type) => change({ type })}
        />
        <NumberField
          label="Volume"
          parameter="volume"
          hint="Lots, in the steps that the symbol allows"
          text={draft.volume}
          change={(volume) => change({ volume })}
          rules={VOLUME}
          words={(value) => `${formatNumber(value, VOLUME_DIGITS)} ${value === 1 ? 'lot' : 'lots'}`}
        />
        <NumberField
          label="Price"
          parameter="openPrice"
          hint="At which the order would open"
          text={draft.openPrice}
          change={(openPrice) => change({ openPrice })}
          rules={PRICE}
          words={(value) => formatNumber(value, PRICE_DIGITS)}
        />
      </div>
      <FormEnd action="Calculate margin" busy={props.busy} />
    </Form>
  );
}
