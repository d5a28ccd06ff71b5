import { Card } from '../components/card.tsx';
import { Form } from '../components/form.tsx';
import { ShownOnce } from '../components/secret.tsx';
import { useTyped } from '../lib/edits.ts';
import { isOutcomeUnknown } from '../lib/faults.ts';
import { type NewToken, type Scope, type TokenSource, useCreateToken } from './token-source.ts';

const SCOPES: { value: Scope; title: string }[] = [
  { value: 'read', title: 'Read: see accounts, trades, trackers, quotas' },
  { value: 'write', title: 'Write: create and change accounts, trackers, profiles' },
  { value: 'ingest', title: 'Ingest: send deals, snapshots, statements, quotes' },
  { value: 'actions', title: 'Actions: have accounts stopped on their platform at a breach' },
  { value: 'admin', title: 'Admin: the Operator page, and all users' },
];
/** Added to a new token only if ticked. */
const BY_NAME_ONLY: readonly Scope[] = ['actions', 'admin'];
const LIFETIMES = [
  { value: '', title: 'Never' },
  { value: '1', title: 'In a day' },
  { value: '30', title: 'In 30 days' },
  { value: '365', title: 'In a year' },
];

export function NewTokenCard({ source, close }: { source: TokenSource; close: () => void }) {
  const typed = useTyped({
    scopes: source.scopes.filter((scope) => !BY_NAME_ONLY.includes(scope)),
    name: '',
    days: '',
    accounts: '',
  });
  const create = useCreateToken(source);
  if (create.data) {
    const { token, link } = create.data;
    return (
      <ShownOnce
        title="The new token"
        note="Copy it now. It is shown only once: Plimsoll keeps only a hash of it."
        secrets={{
          Token: token,
          ...(link ? { 'Link that signs in, once, within ten minutes': link } : {}),
        }}
        close={close}
      />
    );
  }
  const submit = (): void => {
    const { scopes, name, days, accounts } = typed.form;
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
      <Form
        {...typed}
        fields={[
          {
            name: 'scopes',
            legend: 'What it may do',
            boxes: SCOPES.filter(({ value }) => source.scopes.includes(value)),
          },
          { name: 'name', label: 'Name', hint: 'What it is for' },
          { name: 'days', label: 'Expires', parameter: 'expiresInDays', options: LIFETIMES },
          {
            name: 'accounts',
            label: 'Only these accounts',
            parameter: 'accountIds',
            hint: 'Ids, separated by commas; empty for all',
          },
        ]}
        error={create.error}
        submit={submit}
        action="Create token"
        busy={create.isPending}
        disabled={typed.form.scopes.length === 0}
        cancel={close}
      >
        {isOutcomeUnknown(create.error) ? (
          <p className="hint">
            If it is in the list below, nobody has seen its secret: revoke it and create another.
          </p>
        ) : null}
      </Form>
    </Card>
  );
}
