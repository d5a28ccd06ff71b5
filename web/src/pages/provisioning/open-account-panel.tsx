import { useState } from 'react';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { LEVERAGE_FIELD } from '../../accounts/account-form.ts';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form.tsx';
import { useTyped } from '../../lib/edits.ts';
import { useLocation } from '../../lib/route.ts';
import { OpenedAccountCard } from './opened-account-card.tsx';
import { CLIENT, HOLDER, LEAD, LEVERAGE, openingOf, toAccount } from './opening-form.ts';
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
  const { form, change } = useTyped(() => openingOf(group));
  // One key for one request: changed values are another request, a second press is not.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const open = useOpenAccount(profile);
  const account = toAccount(form);
  return (
    <Card
      title="Open an account"
      hint="The platform gives it a login. Its passwords are made at random and shown once."
    >
      <Form
        form={form}
        change={(changes) => {
          change(changes);
          setKey(crypto.randomUUID());
        }}
        fields={[
          {
            name: 'email',
            label: 'E-mail',
            required: true,
            hint: 'Of the account holder',
            type: 'email',
          },
          {
            name: 'group',
            label: 'Group',
            required: true,
            hint: `Such as ${profile.platform === 'p5' ? 'demo\\usd' : 'demo-usd'}`,
          },
          { ...LEVERAGE_FIELD, rules: LEVERAGE },
          { legend: 'Account holder', fields: HOLDER },
          { legend: 'Where the client comes from', fields: [CLIENT, ...LEAD] },
          { name: 'isEnabled', box: 'May log in at once' },
        ]}
        error={open.error}
        submit={() => account && open.mutate({ body: account, key }, { onSuccess: done })}
        action="Open the account"
        busy={open.isPending}
      />
    </Card>
  );
}
