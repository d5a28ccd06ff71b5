import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  AccountRecord,
  deleteAccountOperation,
} from '../../../../src/contract/operations/accounts.ts';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showToast } from '../../components/toast.tsx';
import { call } from '../../lib/api.ts';
import { path } from '../../lib/path.ts';
import { navigate } from '../../lib/route.ts';
import { useTrackers } from './use-account.ts';

export function DeleteCard({ account }: { account: AccountRecord }) {
  const queries = useQueryClient();
  const trackers = useTrackers(account.id).data?.length ?? 0;
  const removal = useMutation({
    mutationFn: ({ id }: AccountRecord) =>
      call<typeof deleteAccountOperation>('DELETE /users/current/accounts/:accountId', {
        params: { accountId: id },
      }),
    onSuccess: async (_, { id, name }) => {
      showToast(`${name} is deleted`);
      navigate(path.accounts());
      queries.removeQueries({ queryKey: ['account', id] });
      await queries.invalidateQueries({ queryKey: ['accounts'] });
    },
  });
  return (
    <Card title="Delete the account">
      <div className="row">
        <p>
          This deletes everything stored about it: trades, charts, trackers, incidents and their
          evidence. It can’t be undone.
        </p>
        <ConfirmButton
          question={`Delete ${account.name}?`}
          consequence={`Its deals, trades, charts, ${trackers === 1 ? 'its tracker' : `${trackers} trackers`}, incidents with their notes and evidence are deleted for everybody, at once and for good. The account on the platform is not touched.`}
          confirm="Delete the account"
          work={removal}
          subject={account}
        >
          Delete …
        </ConfirmButton>
      </div>
    </Card>
  );
}
