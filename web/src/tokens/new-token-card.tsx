import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Field } from '../components/field.tsx';
import { FormError } from '../components/form-error.tsx';
import { Secret } from '../components/secret.tsx';
import { faultOf, isOutcomeUnknown } from '../lib/faults.ts';
import { type NewToken, type Scope, type TokenSource, useCreateToken } from './token-source.ts';

const SCOPES: { scope: Scope; title: string }[] = [
  { scope: 'read', title: 'Read: see accounts, trades, trackers, quotas' },
  { scope: 'write', title: 'Write: create and change accounts, trackers, profiles' },
  { scope: 'ingest', title: 'Ingest: send deals, snapshots, statements, quotes' },
  { scope: 'actions', title: 'Actions: have accounts stopped on their platform at a breach' },
  { scope: 'admin', title: 'Admin: this page, and all users' },
];
/** A new token has them only if somebody ticks them. */
const BY_NAME_ONLY: readonly Scope[] = ['actions', 'admin'];
const PARAMETERS = ['name', 'scopes', 'accountIds', 'expiresInDays'];
const LIFETIMES = [
  { days: '', title: 'Never' },
  { days: '1', title: 'In a day' },
  { days: '30', title: 'In 30 days' },
  { days: '365', title: 'In a year' },
];

export function NewTokenCard({ source, close }: { source: TokenSource; close: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(
    source.scopes.filter((scope) => !BY_NAME_ONLY.includes(scope)),
  );
  const [accounts, setAccounts] = useState('');
  const [days, setDays] = useState('');
  const create = useCreateToken(source);
  const { error } = create;
  if (create.data) return <MadeToken token={create.data.token} close={close} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const accountIds = accounts.split(/[\s,]+/).filter(Boolean);
    const body: NewToken = {
      scopes,
      ...(name.trim() ? { name: name.trim() } : {}),
      ...(accountIds.length > 0 ? { accountIds } : {}),
      ...(days ? { expiresInDays: Number(days) } : {}),
    };
    create.mutate(body);
  };
  const toggle = (scope: Scope, isOn: boolean): void =>
    setScopes(isOn ? [...scopes, scope] : scopes.filter((each) => each !== scope));
  return (
    <Card title="New token">
      <form className="form" onSubmit={submit} noValidate>
        <fieldset className="token-checks">
          <legend>What it may do</legend>
          {SCOPES.filter(({ scope }) => source.scopes.includes(scope)).map(({ scope, title }) => (
            <label key={scope} className="check">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={(event) => toggle(scope, event.target.checked)}
              />
              {title}
            </label>
          ))}
        </fieldset>
        <div className="fields">
          <Field label="Name" hint="What it is for" error={faultOf(error, 'name', 'Name')}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <Field label="Expires" error={faultOf(error, 'expiresInDays', 'Expires')}>
            {(control) => (
              <select {...control} value={days} onChange={(event) => setDays(event.target.value)}>
                {LIFETIMES.map((each) => (
                  <option key={each.days} value={each.days}>
                    {each.title}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            label="Only these accounts"
            hint="Ids, separated by commas; empty for all"
            error={faultOf(error, 'accountIds', 'Accounts')}
          >
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={accounts}
                onChange={(event) => setAccounts(event.target.value)}
              />
            )}
          </Field>
        </div>
        <FormError error={error} parameters={PARAMETERS} />
        {isOutcomeUnknown(error) ? (
          <p className="hint">
            If it is in the list below, nobody has seen its secret: revoke it and create another.
          </p>
        ) : null}
        <div className="form-buttons">
          <Button
            kind="primary"
            type="submit"
            busy={create.isPending}
            disabled={scopes.length === 0}
          >
            Create token
          </Button>
          <Button kind="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Card>
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
