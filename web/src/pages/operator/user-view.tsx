import { type ReactNode, useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatLocalTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { NewTokenCard } from './new-token-card.tsx';
import { type Token, useRevokeToken, useTokens, useUser } from './use-users.ts';

/** A user with its tokens. */
export function UserView({ userId }: { userId: string }) {
  const { data: user, error, refetch } = useUser(userId);
  const [isAdding, setAdding] = useState(false);
  if (error) return <ErrorNote error={error} retry={refetch} />;
  if (user === undefined)
    return (
      <Card>
        <Loading label="Loading the user" />
      </Card>
    );
  if (user === null)
    return (
      <Card>
        <Empty
          title="There is no such user"
          action={<a href={path.operator({ tab: 'users' })}>To the users</a>}
        />
      </Card>
    );
  return (
    <>
      <Card title={user.email} hint={<a href={path.operator({ tab: 'users' })}>All users</a>}>
        <dl className="facts">
          <div>
            <dt>Name</dt>
            <dd>{user.name || '–'}</dd>
          </div>
          <div>
            <dt>Since (your time)</dt>
            <dd className="number">{formatLocalTime(user.createdAt)}</dd>
          </div>
          <div>
            <dt>Id</dt>
            <dd>
              <code>{user.id}</code>
            </dd>
          </div>
        </dl>
      </Card>
      {isAdding ? <NewTokenCard userId={userId} close={() => setAdding(false)} /> : null}
      <TokensCard
        userId={userId}
        action={isAdding ? null : <Button onClick={() => setAdding(true)}>New token</Button>}
      />
    </>
  );
}

function TokensCard({ userId, action }: { userId: string; action: ReactNode }) {
  const { data: tokens, error, refetch } = useTokens(userId);
  return (
    <Card
      title="Tokens"
      hint="Their secrets are not stored: lose one, revoke it, make another."
      flush
      actions={action}
    >
      {error ? (
        <div className="operator-inset">
          <ErrorNote error={error} retry={refetch} />
        </div>
      ) : !tokens ? (
        <div className="operator-inset">
          <Loading label="Loading tokens" />
        </div>
      ) : tokens.length === 0 ? (
        <Empty title="No token">Without one, this user can't sign in or call the API.</Empty>
      ) : (
        <Table caption="Tokens" columns={columnsOf(userId)} rows={tokens} rowKey={({ id }) => id} />
      )}
    </Card>
  );
}

const columnsOf = (userId: string): Column<Token>[] => [
  { title: 'Name', cell: ({ name, id }) => name || <code>{id.slice(0, 8)}</code> },
  {
    title: 'May',
    cell: ({ scopes }) => (
      <span className="operator-scopes">
        {scopes.map((scope) => (
          <Badge key={scope} tone={scope === 'admin' ? 'warn' : 'plain'}>
            {scope}
          </Badge>
        ))}
      </span>
    ),
  },
  {
    title: 'Accounts',
    wide: true,
    cell: ({ accountIds }) => (accountIds ? `only ${accountIds.join(', ')}` : 'all'),
  },
  {
    title: 'Made (your time)',
    wide: true,
    cell: ({ createdAt }) => <span className="number nowrap">{formatLocalTime(createdAt)}</span>,
  },
  {
    title: 'Expires (your time)',
    wide: true,
    cell: ({ expiresAt }) => (
      <span className="number nowrap">{expiresAt ? formatLocalTime(expiresAt) : 'never'}</span>
    ),
  },
  { title: 'Action', cell: (token) => <RevokeToken userId={userId} token={token} /> },
];

function RevokeToken({ userId, token }: { userId: string; token: Token }) {
  const revoke = useRevokeToken(userId);
  const name = token.name || token.id.slice(0, 8);
  const action = async (): Promise<void> => {
    await revoke.mutateAsync(token.id);
    showToast(`Token ${name} is revoked`);
  };
  return (
    <ConfirmButton
      label={`Revoke ${name}`}
      question={`Revoke the token ${name}?`}
      consequence="Whoever uses it is refused from the next request on. It can't be brought back."
      confirm="Revoke the token"
      busy={revoke.isPending}
      error={revoke.error}
      action={action}
    >
      Revoke
    </ConfirmButton>
  );
}
