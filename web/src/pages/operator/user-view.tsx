import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loading } from '../../components/loading.tsx';
import { formatLocalTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { tokensOf } from '../../tokens/token-source.ts';
import { Tokens } from '../../tokens/tokens.tsx';
import { DeleteUser } from './delete-user.tsx';
import { useUser } from './use-users.ts';

/** A user with its tokens. */
export function UserView({ userId }: { userId: string }) {
  const { data: user, error, refetch } = useUser(userId);
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
        <Facts
          of={[
            ['Name', user.name || '–'],
            ['Since (your time)', formatLocalTime(user.createdAt)],
            ['Id', <code key="id">{user.id}</code>],
          ]}
        />
      </Card>
      <Tokens source={tokensOf(userId)} />
      <DeleteUser user={user} />
    </>
  );
}
