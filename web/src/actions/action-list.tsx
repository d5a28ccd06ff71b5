import type { BreachActionRecord } from '../../../src/contract/operations/breach-actions.ts';
import { Badge } from '../components/badge.tsx';
import { BrokerTime } from '../components/broker-time.tsx';
import { Button } from '../components/button.tsx';
import { showToast } from '../components/toast.tsx';
import { TrackerLink } from '../components/tracker-link.tsx';
import { path } from '../lib/path.ts';
import { useMay } from '../shell/use-may.ts';
import { actionWords, dueWords, STATES, tookWords } from './action-words.ts';
import './actions.css';
import { useRetryActions } from './use-actions.ts';

/** Actions, done or to be done, and their outcomes; those given up can be retried. */
export function ActionList(props: {
  label: string;
  actions: readonly BreachActionRecord[];
  /** The account is shown if the list covers several. */
  withAccount?: boolean;
}) {
  return (
    <ul className="actions-list" aria-label={props.label}>
      {props.actions.map((action) => (
        <li key={action.id}>
          <Item action={action} withAccount={props.withAccount ?? false} />
        </li>
      ))}
    </ul>
  );
}

function Item(props: { action: BreachActionRecord; withAccount: boolean }) {
  const { action } = props;
  const { state, accountId, trackerId, trackerName, message } = action;
  const took = tookWords(action);
  const due = dueWords(action);
  return (
    <>
      <div className="actions-head">
        <ActionState action={action} />
        <strong>{actionWords(action)}</strong>
        {props.withAccount ? <a href={path.account(accountId)}>{action.accountName}</a> : null}
        <TrackerLink accountId={accountId} trackerId={trackerId} name={trackerName} />
        <span className="actions-when">
          {action.sequenceNumber === undefined || action.cause !== 'limit' ? (
            <BrokerTime value={action.brokerTime} seconds />
          ) : (
            <a href={path.incident(action.sequenceNumber)}>
              <BrokerTime value={action.brokerTime} seconds />
            </a>
          )}
        </span>
      </div>
      {took ? (
        <p className="hint">
          Confirmed by the platform {took} after{' '}
          {action.moment === 'reset' ? 'the reset' : 'the event'}.
        </p>
      ) : null}
      {due ? <p className="hint">Due {due}.</p> : null}
      {message && state !== 'done' ? <p className="hint actions-message">{message}</p> : null}
      {state === 'escalated' ? <Retry action={action} /> : null}
    </>
  );
}

export function ActionState({ action }: { action: BreachActionRecord }) {
  const { title, tone, hint } = STATES[action.state];
  return (
    <span title={hint}>
      <Badge tone={tone}>{title}</Badge>
    </span>
  );
}

function Retry({ action }: { action: BreachActionRecord }) {
  const may = useMay();
  const retry = useRetryActions();
  if (!may.write || !may.wholeUser) return null;
  return (
    <div className="row no-print">
      <Button
        size="small"
        busy={retry.isPending}
        onClick={() => {
          // By the promise: the button is gone once the action waits again.
          retry.mutateAsync({ body: { ids: [action.id] } }).then(
            () => showToast('It is tried again'),
            ({ message }: Error) => showToast(message, { tone: 'bad' }),
          );
        }}
      >
        Try again
        <span className="visually-hidden">
          {' '}
          to {actionWords(action)} of {action.accountName}
        </span>
      </Button>
      <span className="hint">Fix the cause first.</span>
    </div>
  );
}
