import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  renameTrackerOperation,
  TrackerRecord,
} from '../../../../src/contract/operations/trackers.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Overtaken } from '../../components/overtaken.tsx';
import { showToast } from '../../components/toast.tsx';
import { call } from '../../lib/api.ts';
import { useEdits } from '../../lib/edits.ts';

export function RenameTrackerDialog(props: {
  account: AccountRecord;
  tracker: TrackerRecord;
  close: () => void;
}) {
  const { account, tracker, close } = props;
  const { form, changed, overtaken, change } = useEdits({ name: tracker.name });
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: () =>
      call<typeof renameTrackerOperation>('PUT /users/current/accounts/:accountId/trackers/:id', {
        params: { accountId: account.id, id: tracker._id },
        body: { name: form.name.trim() },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['account', account.id, 'trackers'] });
      showToast('Renamed');
      close();
    },
  });
  const isEmpty = changed.name === undefined || form.name.trim() === '';
  return (
    <Dialog title="Rename the tracker" close={close}>
      <Form
        form={form}
        change={change}
        fields={[
          {
            name: 'name',
            label: 'Name',
            required: true,
            hint: 'Only the name can change. For other limits, create a new tracker, so that what this one measured stays comparable.',
            maxLength: 200,
          },
        ]}
        error={rename.error}
        submit={() => rename.mutate()}
        action="Save"
        busy={rename.isPending}
        disabled={isEmpty}
        cancel={close}
      >
        <Overtaken fields={overtaken} say={() => `Its name has changed to “${tracker.name}”`} />
      </Form>
    </Dialog>
  );
}
