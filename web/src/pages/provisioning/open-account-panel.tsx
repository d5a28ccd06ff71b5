import { type FormEvent, useState } from 'react';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { faultOf } from '../../lib/faults.ts';
import { type NumberRules, numberOf, readNumber } from '../../lib/read-number.ts';
import { useLocation } from '../../lib/route.ts';
import { OpenedAccountCard } from './opened-account-card.tsx';
import { type NewAccount, type OpenedAccount, useOpenAccount } from './use-platform.ts';

const LEVERAGE: NumberRules = { min: 1, max: 100_000, digits: 2 };
const CLIENT_ID: NumberRules = { isInteger: true, min: 0 };
const NUMBERS: [string, NumberRules][] = [
  ['leverage', LEVERAGE],
  ['clientId', CLIENT_ID],
];

type TextField = { name: string; label: string; hint?: string; type?: string };

const PERSON: TextField[] = [
  { name: 'firstName', label: 'First name' },
  { name: 'middleName', label: 'Middle name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'phone', label: 'Telephone', type: 'tel' },
];
const PLACE: TextField[] = [
  { name: 'address', label: 'Address' },
  { name: 'zip', label: 'Postal code' },
  { name: 'city', label: 'City' },
  { name: 'state', label: 'State or region' },
  { name: 'country', label: 'Country' },
];
const ORIGIN: TextField[] = [
  { name: 'clientId', label: 'Client id', hint: "Number in the broker's own books" },
  { name: 'leadSource', label: 'Lead source' },
  { name: 'leadCampaign', label: 'Lead campaign' },
];

export function OpenAccountPanel({ profile }: { profile: ProfileRecord }) {
  const [opened, setOpened] = useState<OpenedAccount>();
  if (opened)
    return (
      <OpenedAccountCard profile={profile} opened={opened} again={() => setOpened(undefined)} />
    );
  return <OpenAccountForm profile={profile} done={setOpened} />;
}

function OpenAccountForm(props: { profile: ProfileRecord; done: (opened: OpenedAccount) => void }) {
  const { profile } = props;
  const group = useLocation().query.get('group') ?? '';
  const [values, setValues] = useState<Record<string, string>>({ group, leverage: '100' });
  const [isEnabled, setEnabled] = useState(true);
  // One key for one wish: values that change are another wish, a second press is not.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const open = useOpenAccount(profile);
  const required: TextField[] = [
    { name: 'email', label: 'E-mail', type: 'email', hint: 'Of the account holder' },
    {
      name: 'group',
      label: 'Group',
      hint: `Such as ${profile.platform === 'p5' ? 'demo\\usd' : 'demo-usd'}`,
    },
    { name: 'leverage', label: 'Leverage', hint: '100 stands for 1:100' },
  ];
  const change = (name: string, value: string): void => {
    setValues({ ...values, [name]: value });
    setKey(crypto.randomUUID());
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const numbers = NUMBERS.map(([name, rules]) => readNumber(values[name] ?? '', rules));
    // What can't be read says so at its field.
    if (numbers.some(({ kind }) => kind === 'unreadable')) return;
    const body = toAccount(values, isEnabled);
    open.mutate({ body, key }, { onSuccess: props.done });
  };
  const fields = (list: TextField[], isRequired = false) =>
    list.map(({ name, label, hint, type }) => (
      <Field
        key={name}
        label={label}
        hint={hint}
        required={isRequired}
        error={unreadableOf(name, label, values[name]) ?? faultOf(open.error, name, label)}
      >
        {(control) => (
          <input
            {...control}
            type={type ?? 'text'}
            autoComplete="off"
            value={values[name] ?? ''}
            onChange={(event) => change(name, event.target.value)}
          />
        )}
      </Field>
    ));
  const all = [...required, ...PERSON, ...PLACE, ...ORIGIN].map(({ name }) => name);
  return (
    <Card
      title="Open an account"
      hint="The platform gives it a login. Its passwords are made at random and shown once."
    >
      <form className="form" onSubmit={submit} noValidate>
        <div className="fields">{fields(required, true)}</div>
        <fieldset className="provisioning-part">
          <legend>Account holder</legend>
          <div className="fields">{fields([...PERSON, ...PLACE])}</div>
        </fieldset>
        <fieldset className="provisioning-part">
          <legend>Where the client comes from</legend>
          <div className="fields">{fields(ORIGIN)}</div>
        </fieldset>
        <label className="check">
          <input
            type="checkbox"
            checked={isEnabled}
            onChange={(event) => {
              setEnabled(event.target.checked);
              setKey(crypto.randomUUID());
            }}
          />
          May log in at once
        </label>
        <FormError error={open.error} parameters={all} />
        <div className="form-buttons">
          <Button kind="primary" type="submit" busy={open.isPending}>
            Open the account
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Why a number can't be read; undefined for other fields. */
function unreadableOf(name: string, label: string, text = ''): string | undefined {
  const rules = NUMBERS.find(([number]) => number === name)?.[1];
  const reading = rules && readNumber(text, rules);
  if (reading?.kind !== 'unreadable') return undefined;
  return reading.fault.startsWith('“') ? `${reading.fault}.` : `${label} ${reading.fault}.`;
}

/** What was filled in. */
function toAccount(values: Record<string, string>, enabled: boolean): NewAccount {
  const { email = '', group = '', leverage = '', clientId = '', ...rest } = values;
  const filled = Object.entries(rest).filter(([, value]) => value.trim() !== '');
  return {
    email: email.trim(),
    group: group.trim(),
    leverage: numberOf(readNumber(leverage, LEVERAGE)) ?? 0,
    ...(clientId.trim() === '' ? {} : { clientId: numberOf(readNumber(clientId, CLIENT_ID)) ?? 0 }),
    ...Object.fromEntries(filled.map(([name, value]) => [name, value.trim()])),
    enabled,
  };
}
