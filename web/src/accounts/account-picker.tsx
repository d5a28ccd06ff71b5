import { useState } from 'react';
import { Combobox } from '../components/combobox.tsx';
import { Field } from '../components/field.tsx';
import { formatNumber } from '../lib/format.ts';
import { useAccountSearch } from './use-account-search.ts';

/** Chooses one of any number of accounts by some letters of its name. */
export function AccountPicker(props: {
  label: string;
  account: { id: string; name: string; login: string; currency: string };
  choose: (accountId: string) => void;
  className?: string;
}) {
  const { account } = props;
  const shown = `${account.name} · ${account.login} · ${account.currency}`;
  const [typed, setTyped] = useState<string>();
  const { choices, more, isBehind } = useAccountSearch(typed ?? '');
  return (
    <Field label={props.label} className={props.className ?? ''}>
      {(control) => (
        <Combobox
          control={control}
          text={typed ?? shown}
          change={setTyped}
          choices={choices}
          isBehind={isBehind}
          choose={({ id }) => {
            setTyped(undefined);
            props.choose(id);
          }}
          left={() => setTyped(undefined)}
          note={
            more > 0
              ? `${formatNumber(more, 0)} more accounts: type part of a name or login.`
              : undefined
          }
        />
      )}
    </Field>
  );
}
