import { useEffect, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Check } from '../components/check.tsx';
import { ChoiceField } from '../components/choice-field.tsx';
import { Form } from '../components/form.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { Secret } from '../components/secret.tsx';
import { TextField } from '../components/text-field.tsx';
import { isOutcomeUnknown } from '../lib/faults.ts';
import { type NewToken, type Scope, type TokenSource, useCreateToken } from './token-source.ts';

const SCOPES: { scope: Scope; title: string }[] = [
  { scope: 'read', title: 'Read: see accounts, trades, trackers, quotas' },
  { scope: 'write', title: 'Write: create and change accounts, trackers, profiles' },
  { scope: 'ingest', title: 'Ingest: send deals, snapshots, statements, quotes' },
  { scope: 'actions', title: 'Actions: have accounts stopped on their platform at a breach' },
  { scope: 'admin', title: 'Admin: the Operator page, and all users' },
];
/** A new token has them only if somebody ticks them. */
const BY_NAME_ONLY: readonly Scope[] = ['actions', 'admin'];
const LIFETIMES = [
  { value: '', title: 'Never' },
  { value: '1', title: 'In a day' },
  { value: '30', title: 'In 30 days' },
  { value: '365', title: 'In a year' },
];

export function NewTokenCard({ source, close }: { source: TokenSource; close: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(
    source.scopes.filter((scope) => !BY_NAME_ONLY.includes(scope)),
  );
  const [accounts, setAccounts] = useState('');
  const [days, setDays] = useState('');
  const create = useCreateToken(source);
  if (create.data) return <MadeToken token={create.data.token} close={close} />;
  const submit = (): void => {
    const accountIds = accounts.split(/[\s,]+/).filter(Boolean);
    const body: NewToken = {
      scopes,
      ...(name.trim() ? { name: name.trim() } : {}),
      ...(accountIds.length > 0 ? { accountIds } : {}),
      ...(days ? { expiresInDays: Number(days) } : {}),
    };
    create.mutate(body);
  };
  return (
    <Card title="New token">
      <Form error={create.error} submit={submit}>
        <ScopeChecks offered={source.scopes} chosen={scopes} choose={setScopes} />
        <div className="fields">
          <TextField
            label="Name"
            parameter="name"
            hint="What it is for"
            text={name}
            change={setName}
          />
          <ChoiceField
            label="Expires"
            parameter="expiresInDays"
            options={LIFETIMES}
            value={days}
            choose={setDays}
          />
          <TextField
            label="Only these accounts"
            parameter="accountIds"
            hint="Ids, separated by commas; empty for all"
            text={accounts}
            change={setAccounts}
          />
        </div>
        <FormEnd
          action="Create token"
          busy={create.isPending}
          disabled={scopes.length === 0}
          cancel={close}
        >
          {isOutcomeUnknown(create.error) ? (
            <p className="hint">
              If it is in the list below, nobody has seen its secret: revoke it and create another.
            </p>
          ) : null}
        </FormEnd>
      </Form>
    </Card>
  );
}

function ScopeChecks(props: {
  /** Those that the token may get. */
  offered: readonly Scope[];
  chosen: readonly Scope[];
  choose: (scopes: Scope[]) => void;
}) {
  const { offered, chosen, choose } = props;
  return (
    <fieldset className="token-checks">
      <legend>What it may do</legend>
      {SCOPES.filter(({ scope }) => offered.includes(scope)).map(({ scope, title }) => (
        <Check
          key={scope}
          isOn={chosen.includes(scope)}
          set={(isOn) =>
            choose(isOn ? [...chosen, scope] : chosen.filter((each) => each !== scope))
          }
        >
          {title}
        </Check>
      ))}
    </fieldset>
  );
}

function MadeToken({ token, close }: { token: string; close: () => void }) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <Card title="The new token">
      <div className="stack">
        <p ref={note} tabIndex={-1} className="note note-warn" role="status">
          Copy it now. It is shown only once: Plimsoll keeps only a hash of it.
        </p>
        <div>
          <Secret label="Token" value={token} />
          <Secret label="Link that signs in" value={`${location.origin}/#token=${token}`} />
        </div>
        <div className="row">
          <Button onClick={close}>Done</Button>
        </div>
      </div>
    </Card>
  );
}
