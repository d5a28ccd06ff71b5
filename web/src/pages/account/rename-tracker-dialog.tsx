import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  renameTrackerOperation,
  TrackerRecord,
} from '../../../../src/contract/operations/trackers.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Overtaken } from '../../components/overtaken.tsx';
import { showToast } from '../../components/toast.tsx';
import { useEdits } from '../../lib/edits.ts';
import { useChange } from '../../lib/use-operation.ts';

export function RenameTrackerDialog(props: {
  account: AccountRecord;
  tracker: TrackerRecord;
  close: () => void;
}) {
  const { account, tracker, close } = props;
  const { form, changed, overtaken, change } = useEdits({ name: tracker.name });
  const rename = useChange<typeof renameTrackerOperation>(
    'PUT /users/current/accounts/:accountId/trackers/:id',
    ['account', account.id, 'trackers'],
  );
  const submit = async (): Promise<void> => {
    const params = { accountId: account.id, id: tracker._id };
    await rename.mutateAsync({ params, body: { name: form.name.trim() } });
    showToast('Renamed');
    close();
  };
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
        submit={submit}
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
