import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  deleteTrackerOperation,
  NewTracker,
  TrackerRecord,
} from '../../../../src/contract/operations/trackers.ts';
import { ActionList } from '../../actions/action-list.tsx';
import { useActionState, useActions } from '../../actions/use-actions.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showToast } from '../../components/toast.tsx';
import { path } from '../../lib/path.ts';
import { useChange } from '../../lib/use-operation.ts';
import { ApplyRuleDialog } from '../../rules/apply-rule-dialog.tsx';
import { describeRule } from '../../rules/rule-words.ts';
import { SaveTemplateDialog } from '../../rules/save-template-dialog.tsx';
import { useMay } from '../../shell/use-may.ts';
import { RenameTrackerDialog } from './rename-tracker-dialog.tsx';
import { TrackerPeriods } from './tracker-periods.tsx';

type TrackerProps = { account: AccountRecord; tracker: TrackerRecord };

/** A tracker: its rule in words, its actions, and its measurements. */
export function TrackerCard(props: TrackerProps & { isLinked: boolean }) {
  const { account, tracker } = props;
  const [open, setOpen] = useState<'copy' | 'save' | 'rename'>();
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
            <DeleteTracker account={account} tracker={tracker} />
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
        <RenameTrackerDialog account={account} tracker={tracker} close={close} />
      ) : null}
    </Card>
  );
}

/** The rule part of a tracker; start and end are each account's own. */
function ruleOf(tracker: TrackerRecord): NewTracker {
  const { _id: _, startBrokerTime: _start, endBrokerTime: _end, ...rule } = tracker;
  return rule;
}

function DeleteTracker({ account, tracker }: TrackerProps) {
  const removal = useChange<typeof deleteTrackerOperation>(
    'DELETE /users/current/accounts/:accountId/trackers/:id',
    ['account', account.id],
  );
  return (
    <ConfirmButton
      question={`Delete “${tracker.name}”?`}
      consequence="Its statistics go with it; the events that it reported stay in the feed."
      confirm="Delete"
      work={removal}
      subject={{ params: { accountId: account.id, id: tracker._id } }}
      done={() => showToast('Deleted')}
    >
      Delete
    </ConfirmButton>
  );
}

const SHOWN = 6;

/**
 * What a tracker with actions had done so far, the newest of it; its rule says what it is to do.
 */
function TrackerActions(props: { account: AccountRecord; tracker: TrackerRecord }) {
  if (!props.tracker.actions?.length) return null;
  return <Actions {...props} />;
}

function Actions({ account, tracker }: { account: AccountRecord; tracker: TrackerRecord }) {
  const { data } = useActionState();
  const { rows } = useActions({ accountId: account.id });
  const own = rows?.filter(({ trackerId }) => trackerId === tracker._id).slice(0, SHOWN) ?? [];
  return (
    <section className="tracker-actions" aria-label={`Actions of ${tracker.name}`}>
      {data && !data.enabled ? (
        <p className="note note-bad">
          Actions are stopped for everybody: those of this tracker wait.
          <a href={path.actions()}>Show actions</a>
        </p>
      ) : null}
      {own.length > 0 ? (
        <>
          <h3>Done at its breaches, newest first</h3>
          <ActionList label={`Actions that ${tracker.name} triggered`} actions={own} />
        </>
      ) : rows ? (
        <p className="hint">It has triggered nothing so far.</p>
      ) : null}
    </section>
  );
}
