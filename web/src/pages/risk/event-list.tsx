import type { TrackerEventRecord } from '../../../../src/contract/operations/tracker-events.ts';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Money } from '../../components/money.tsx';
import { formatFraction } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import type { Names } from './use-names.ts';

/** Events, newest first, each with links to its account, its tracker and its moment. */
export function EventList(props: { events: TrackerEventRecord[]; names: Names }) {
  if (props.events.length === 0) return null;
  return (
    <ol className="events" aria-label="Events, newest first">
      {props.events.map((event) => (
        <Event key={event.sequenceNumber} event={event} names={props.names} />
      ))}
    </ol>
  );
}

function Event({ event, names }: { event: TrackerEventRecord; names: Names }) {
  const { accountId, trackerId } = event;
  const account = names.get(accountId);
  const isLoss = event.exceededThresholdType === 'drawdown';
  const amount = isLoss ? -event.absoluteDrawdown : event.absoluteProfit;
  const part = isLoss ? event.relativeDrawdown : event.relativeProfit;
  return (
    <li className={`event ${isLoss ? 'event-loss' : 'event-win'}`}>
      <span className="event-kind">{isLoss ? 'Drawdown exceeded' : 'Profit target reached'}</span>
      <span className="event-what">
        <a href={path.account(accountId)}>{account?.name ?? accountId}</a>
        {' · '}
        <a href={path.account(accountId, { tab: 'trackers', tracker: trackerId })}>
          {account?.trackers.get(trackerId) ?? 'tracker'}
        </a>
      </span>
      <span className="event-amount number">
        {account ? <Money value={amount} currency={account.currency} signed /> : amount}{' '}
        <span className="muted">({formatFraction(part)})</span>
      </span>
      <span className="event-time">
        <BrokerTime value={event.brokerTime} seconds />
      </span>
      <a
        className="event-evidence"
        href={path.account(accountId, { tab: 'events', event: String(event.sequenceNumber) })}
      >
        Evidence<span className="visually-hidden"> of event {event.sequenceNumber}</span>
      </a>
    </li>
  );
}
