import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { TrackerRecord } from '../../../../src/contract/operations/trackers.ts';
import { ActionList } from '../../actions/action-list.tsx';
import { useActionState, useActions } from '../../actions/use-actions.ts';
import { path } from '../../lib/path.ts';

const SHOWN = 6;

/**
 * What a tracker with actions had done so far, the newest of it; its rule says what it is to do.
 */
export function TrackerActions(props: { account: AccountRecord; tracker: TrackerRecord }) {
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
