import { useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Empty } from '../components/empty.tsx';
import { ShownOnce } from '../components/secret.tsx';
import { Shown } from '../components/shown.tsx';
import { type Column, Table } from '../components/table.tsx';
import { showToast } from '../components/toast.tsx';
import { formatLocalTime } from '../lib/format.ts';
import { NewTokenCard } from './new-token-card.tsx';
import {
  madeBy,
  type Token,
  type TokenSource,
  useRevokeToken,
  useRotateToken,
  useTokens,
} from './token-source.ts';
import './tokens.css';

/** The tokens of a source, with a form for a new one. */
export function Tokens({ source }: { source: TokenSource }) {
  const [isAdding, setAdding] = useState(false);
  const [rotated, setRotated] = useState<{ token: string }>();
  const tokens = useTokens(source);
  const canAdd = source.scopes.length > 0;
  const add = <Button onClick={() => setAdding(true)}>New token</Button>;
  return (
    <>
      {isAdding ? <NewTokenCard source={source} close={() => setAdding(false)} /> : null}
      {rotated ? (
        <ShownOnce
          title="The new secret"
          note="Copy it now. It is shown only once. The old one lasts for an hour from now."
          secrets={{ Token: rotated.token }}
          close={() => setRotated(undefined)}
        />
      ) : null}
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
              columns={columnsOf(source, rows, setRotated)}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )}
        </Shown>
      </Card>
    </>
  );
}

const columnsOf = (
  source: TokenSource,
  tokens: readonly Token[],
  showRotated: (made: { token: string }) => void,
): Column<Token>[] => [
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
  {
    title: 'Last used (your time)',
    wide: true,
    cell: ({ lastUsedAt, lastUsedFrom }) => (
      <span className="number nowrap">
        {lastUsedAt ? `${formatLocalTime(lastUsedAt)} from ${lastUsedFrom}` : 'never'}
      </span>
    ),
  },
  ...(source.scopes.length > 0
    ? [
        {
          title: 'Action',
          cell: (token: Token) => (
            <span className="actions">
              <RotateToken source={source} token={token} show={showRotated} />
              <RevokeToken source={source} token={token} made={madeBy(token.id, tokens)} />
            </span>
          ),
        },
      ]
    : []),
];

const nameOf = ({ name, id }: Token): string => name || id.slice(0, 8);

function RotateToken(props: {
  source: TokenSource;
  token: Token;
  show: (made: { token: string }) => void;
}) {
  const rotate = useRotateToken(props.source);
  const name = nameOf(props.token);
  return (
    <ConfirmButton
      label={`Rotate ${name}`}
      question={`Replace the secret of ${name}?`}
      consequence="You get a new token with the same rights. The old one lasts for an hour, so that you can put the new one in its place."
      confirm="Replace it"
      kind="plain"
      work={rotate}
      subject={props.token.id}
      done={props.show}
    >
      Rotate
    </ConfirmButton>
  );
}

function RevokeToken({
  source,
  token,
  made,
}: {
  source: TokenSource;
  token: Token;
  made: readonly Token[];
}) {
  const revoke = useRevokeToken(source);
  const name = nameOf(token);
  const names = made.map(nameOf).join(', ');
  return (
    <ConfirmButton
      label={`Revoke ${name}`}
      question={`Revoke the token ${name}?`}
      consequence={
        'Whoever uses it is refused from the next request on. This cannot be undone.' +
        (made.length > 0 ? ` It made other tokens: ${names}.` : '')
      }
      choice={{
        words: 'With all that it made: choose this if somebody else may know it',
        subject: { id: token.id, withMade: true },
      }}
      confirm="Revoke the token"
      work={revoke}
      subject={{ id: token.id, withMade: false }}
      done={() => showToast(`Token ${name} is revoked`)}
    >
      Revoke
    </ConfirmButton>
  );
}
