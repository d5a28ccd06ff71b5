import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loading } from '../../components/loading.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatLocalTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { navigate } from '../../lib/route.ts';
import { tokensOf } from '../../tokens/token-source.ts';
import { Tokens } from '../../tokens/tokens.tsx';
import { type User, useDeleteUser, useUser } from './use-users.ts';

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

function DeleteUser({ user }: { user: User }) {
  const removal = useDeleteUser();
  const done = (): void => {
    showToast(`${user.email} is deleted`);
    navigate(path.operator({ tab: 'users' }));
  };
  return (
    <Card title="Delete the user">
      <div className="row">
        <p>
          This deletes everything that is theirs: accounts with their trades, trackers and evidence,
          tokens, profiles and webhooks. It cannot be undone.
        </p>
        <ConfirmButton
          question={`Delete ${user.email}?`}
          consequence="Their tokens end at once, also those of programs that send snapshots. Their accounts and all that is stored about them are deleted for good, in the background. Accounts on platforms are not touched. The audit records who was deleted, and by whom."
          confirm="Delete the user"
          work={removal}
          subject={{ params: { userId: user.id } }}
          done={done}
        >
          Delete …
        </ConfirmButton>
      </div>
    </Card>
  );
}
