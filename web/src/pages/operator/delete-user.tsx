import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showToast } from '../../components/toast.tsx';
import { path } from '../../lib/path.ts';
import { navigate } from '../../lib/route.ts';
import { type User, useDeleteUser } from './use-users.ts';

export function DeleteUser({ user }: { user: User }) {
  const removal = useDeleteUser();
  const remove = async (): Promise<void> => {
    await removal.mutateAsync({ params: { userId: user.id } });
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
          action={remove}
        >
          Delete …
        </ConfirmButton>
      </div>
    </Card>
  );
}
