import { useState } from 'react';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import type { Platform } from '../../../../src/words/accounts.ts';
import { Card } from '../../components/card.tsx';
import { Check } from '../../components/check.tsx';
import { Form } from '../../components/form.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { formatNumber } from '../../lib/format.ts';
import { UNREADABLE } from '../../lib/read-number.ts';
import { useLocation } from '../../lib/route.ts';
import { OpenedAccountCard } from './opened-account-card.tsx';
import {
  clientIdFault,
  LEVERAGE,
  type OpeningForm,
  type OpeningText,
  openingOf,
  toAccount,
} from './opening-form.ts';
import { type OpenedAccount, useOpenAccount } from './use-platform.ts';

export function OpenAccountPanel({ profile }: { profile: ProfileRecord }) {
  const [opened, setOpened] = useState<OpenedAccount>();
  if (opened)
    return (
      <OpenedAccountCard profile={profile} opened={opened} again={() => setOpened(undefined)} />
    );
  return <OpenAccountForm profile={profile} done={setOpened} />;
}

function OpenAccountForm(props: { profile: ProfileRecord; done: (opened: OpenedAccount) => void }) {
  const { profile, done } = props;
  const group = useLocation().query.get('group') ?? '';
  const [form, setForm] = useState(() => openingOf(group));
  // One key for one wish: values that change are another wish, a second press is not.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const open = useOpenAccount(profile);
  const change = (changes: Partial<OpeningForm>): void => {
    setForm({ ...form, ...changes });
    setKey(crypto.randomUUID());
  };
  const account = toAccount(form);
  return (
    <Card
      title="Open an account"
      hint="The platform gives it a login. Its passwords are made at random and shown once."
    >
      <Form
        error={open.error}
        obstacle={account ? undefined : UNREADABLE}
        submit={() => account && open.mutate({ body: account, key }, { onSuccess: done })}
      >
        <RequiredFields platform={profile.platform} form={form} change={change} />
        <fieldset className="provisioning-part">
          <legend>Account holder</legend>
          <Texts texts={HOLDER} form={form} change={change} />
        </fieldset>
        <fieldset className="provisioning-part">
          <legend>Where the client comes from</legend>
          <Texts texts={ORIGIN} form={form} change={change} />
        </fieldset>
        <Check isOn={form.isEnabled} set={(isEnabled) => change({ isEnabled })}>
          May log in at once
        </Check>
        <FormEnd action="Open the account" busy={open.isPending} />
      </Form>
    </Card>
  );
}

type Fields = { form: OpeningForm; change: (changes: Partial<OpeningForm>) => void };

function RequiredFields({ platform, form, change }: Fields & { platform: Platform }) {
  return (
    <div className="fields">
      <TextField
        label="E-mail"
        parameter="email"
        required
        hint="Of the account holder"
        type="email"
        text={form.email}
        change={(email) => change({ email })}
      />
      <TextField
        label="Group"
        parameter="group"
        required
        hint={`Such as ${platform === 'p5' ? 'demo\\usd' : 'demo-usd'}`}
        text={form.group}
        change={(group) => change({ group })}
      />
      <NumberField
        label="Leverage"
        parameter="leverage"
        required
        rules={LEVERAGE}
        words={(value) => `1:${formatNumber(value, 2)}`}
        text={form.leverage}
        change={(leverage) => change({ leverage })}
      />
    </div>
  );
}

type TextWords = { name: OpeningText; label: string; hint?: string; type?: 'tel' };

const HOLDER: TextWords[] = [
  { name: 'firstName', label: 'First name' },
  { name: 'middleName', label: 'Middle name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'phone', label: 'Telephone', type: 'tel' },
  { name: 'address', label: 'Address' },
  { name: 'zip', label: 'Postal code' },
  { name: 'city', label: 'City' },
  { name: 'state', label: 'State or region' },
  { name: 'country', label: 'Country' },
];
const ORIGIN: TextWords[] = [
  { name: 'clientId', label: 'Client id', hint: "Number in the broker's own books" },
  { name: 'leadSource', label: 'Lead source' },
  { name: 'leadCampaign', label: 'Lead campaign' },
];

function Texts({ texts, form, change }: Fields & { texts: readonly TextWords[] }) {
  return (
    <div className="fields">
      {texts.map(({ name, ...words }) => (
        <TextField
          {...words}
          key={name}
          parameter={name}
          fault={name === 'clientId' ? clientIdFault(form) : undefined}
          text={form[name]}
          change={(text) => change({ [name]: text })}
        />
      ))}
    </div>
  );
}
