import { useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Empty } from '../components/empty.tsx';
import { Shown } from '../components/shown.tsx';
import { type Column, Table } from '../components/table.tsx';
import { showToast } from '../components/toast.tsx';
import { formatLocalTime } from '../lib/format.ts';
import { NewTokenCard } from './new-token-card.tsx';
import { type Token, type TokenSource, useRevokeToken, useTokens } from './token-source.ts';
import './tokens.css';

/** The tokens of a source, with a form for a new one. */
export function Tokens({ source }: { source: TokenSource }) {
  const [isAdding, setAdding] = useState(false);
  const tokens = useTokens(source);
  const canAdd = source.scopes.length > 0;
  const add = <Button onClick={() => setAdding(true)}>New token</Button>;
  return (
    <>
      {isAdding ? <NewTokenCard source={source} close={() => setAdding(false)} /> : null}
      <Card
        title="Tokens"
        hint="Secrets are not stored: if you lose one, revoke the token and create another."
        flush
        actions={canAdd && !isAdding ? add : null}
      >
        <Shown
          read={tokens}
          what="tokens"
          isInset
          empty={
            <Empty title="No token">Without one, this user can't sign in or call the API.</Empty>
          }
        >
          {(rows) => (
            <Table
              caption="Tokens"
              columns={columnsOf(source)}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )}
        </Shown>
      </Card>
    </>
  );
}

const columnsOf = (source: TokenSource): Column<Token>[] => [
  { title: 'Name', cell: ({ name, id }) => name || <code>{id.slice(0, 8)}</code> },
  {
    title: 'Scopes',
    cell: ({ scopes }) => (
      <span className="token-scopes">
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
    title: 'Created (your time)',
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
  ...(source.scopes.length > 0
    ? [
        {
          title: 'Action',
          cell: (token: Token) => <RevokeToken source={source} token={token} />,
        },
      ]
    : []),
];

function RevokeToken({ source, token }: { source: TokenSource; token: Token }) {
  const revoke = useRevokeToken(source);
  const name = token.name || token.id.slice(0, 8);
  const action = async (): Promise<void> => {
    await revoke.mutateAsync(token.id);
    showToast(`Token ${name} is revoked`);
  };
  return (
    <ConfirmButton
      label={`Revoke ${name}`}
      question={`Revoke the token ${name}?`}
      consequence="Whoever uses it is refused from the next request on. This cannot be undone."
      confirm="Revoke the token"
      work={revoke}
      action={action}
    >
      Revoke
    </ConfirmButton>
  );
}
