import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  deleteTrackerOperation,
  NewTracker,
  renameTrackerOperation,
  TrackerRecord,
} from '../../../../src/contract/operations/trackers.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Loading } from '../../components/loading.tsx';
import { Overtaken } from '../../components/overtaken.tsx';
import { showToast } from '../../components/toast.tsx';
import { call } from '../../lib/api.ts';
import { useEdits } from '../../lib/edits.ts';
import { useLocation } from '../../lib/route.ts';
import { ApplyRuleDialog } from '../../rules/apply-rule-dialog.tsx';
import { describeRule } from '../../rules/rule-words.ts';
import { SaveTemplateDialog } from '../../rules/save-template-dialog.tsx';
import { useMay } from '../../shell/use-may.ts';
import { NewTrackerDialog } from './new-tracker-dialog.tsx';
import { TrackerActions } from './tracker-actions.tsx';
import { TrackerPeriods } from './tracker-periods.tsx';
import { useTrackers } from './use-account.ts';

export function TrackersTab({ account }: { account: AccountRecord }) {
  const trackers = useTrackers(account.id);
  const [isCreating, setCreating] = useState(false);
  const linked = useLocation().query.get('tracker');
  const may = useMay();
  const create = may.write ? (
    <Button kind="primary" onClick={() => setCreating(true)}>
      New tracker
    </Button>
  ) : null;
  return (
    <>
      <div className="row trackers-head">
        <p className="muted">
          A tracker watches profit and drawdown over a period and reports when a threshold is
          exceeded.
        </p>
        {create}
      </div>
      {trackers.error ? <ErrorNote error={trackers.error} retry={trackers.refetch} /> : null}
      {trackers.isPending ? <Loading label="Loading trackers" lines={6} /> : null}
      {trackers.data?.length === 0 ? (
        <Card>
          <Empty title="No trackers yet" action={create}>
            For example: report when the account loses more than 5 % in a calendar day.
          </Empty>
        </Card>
      ) : null}
      {trackers.data?.map((tracker) => (
        <TrackerCard
          key={tracker._id}
          account={account}
          tracker={tracker}
          isLinked={tracker._id === linked}
        />
      ))}
      {isCreating ? <NewTrackerDialog account={account} close={() => setCreating(false)} /> : null}
    </>
  );
}

function TrackerCard(props: { account: AccountRecord; tracker: TrackerRecord; isLinked: boolean }) {
  const { account, tracker } = props;
  const [open, setOpen] = useState<'copy' | 'save' | 'rename' | 'delete'>();
  const may = useMay();
  const close = (): void => setOpen(undefined);
  return (
    <Card
      className={props.isLinked ? 'tracker-linked' : ''}
      title={tracker.name}
      hint={describeRule(tracker, account.currency)}
      actions={
        may.write ? (
          <>
            <Button size="small" onClick={() => setOpen('copy')}>
              For other accounts
            </Button>
            {may.wholeUser ? (
              <Button size="small" onClick={() => setOpen('save')}>
                Save as template
              </Button>
            ) : null}
            <Button size="small" onClick={() => setOpen('rename')}>
              Rename
            </Button>
            <Button size="small" kind="danger" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </>
        ) : null
      }
    >
      <TrackerPeriods account={account} tracker={tracker} />
      <TrackerActions account={account} tracker={tracker} />
      {open === 'copy' ? (
        <ApplyRuleDialog
          rule={ruleOf(tracker)}
          currency={account.currency}
          except={account.id}
          close={close}
        />
      ) : null}
      {open === 'save' ? (
        <SaveTemplateDialog rule={ruleOf(tracker)} currency={account.currency} close={close} />
      ) : null}
      {open === 'rename' ? (
        <RenameDialog account={account} tracker={tracker} close={close} />
      ) : null}
      {open === 'delete' ? (
        <DeleteDialog account={account} tracker={tracker} close={close} />
      ) : null}
    </Card>
  );
}

/** What of a tracker is its rule; where it begins and ends is each account's own. */
function ruleOf(tracker: TrackerRecord): NewTracker {
  const { _id: _, startBrokerTime: _start, endBrokerTime: _end, ...rule } = tracker;
  return rule;
}

type DialogProps = { account: AccountRecord; tracker: TrackerRecord; close: () => void };

function RenameDialog({ account, tracker, close }: DialogProps) {
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (changed.name !== undefined) rename.mutate();
  };
  return (
    <Dialog title="Edit the tracker" close={close}>
      <form className="stack" onSubmit={submit}>
        {rename.error ? <ErrorNote error={rename.error} /> : null}
        <Field
          label="Name"
          required
          hint="Only the name can change. For other limits, create a new tracker, so that what this one measured stays comparable."
        >
          {(control) => (
            <input
              {...control}
              value={form.name}
              maxLength={200}
              onChange={({ target }) => change({ name: target.value })}
            />
          )}
        </Field>
        <Overtaken fields={overtaken} say={() => `Its name has changed to “${tracker.name}”`} />
        <div className="actions">
          <Button
            kind="primary"
            type="submit"
            busy={rename.isPending}
            disabled={changed.name === undefined || form.name.trim() === ''}
          >
            Save
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteDialog({ account, tracker, close }: DialogProps) {
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: () =>
      call<typeof deleteTrackerOperation>(
        'DELETE /users/current/accounts/:accountId/trackers/:id',
        { params: { accountId: account.id, id: tracker._id } },
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['account', account.id] });
      showToast('Deleted');
      close();
    },
  });
  return (
    <Dialog title={`Delete “${tracker.name}”?`} close={close}>
      <div className="stack">
        {removal.error ? <ErrorNote error={removal.error} /> : null}
        <p>Its statistics go with it; the events that it reported stay in the feed.</p>
        <div className="actions">
          <Button kind="danger" busy={removal.isPending} onClick={() => removal.mutate()}>
            Delete
          </Button>
          <Button onClick={close}>Keep</Button>
        </div>
      </div>
    </Dialog>
  );
}
