import { BrokerTime } from '../components/broker-time.tsx';
import { formatFraction, formatMoney } from '../lib/format.ts';
import type { Revision } from './verdict.ts';

/** Later corrections of an event, in words. */
export function RevisionLine(props: { revision: Revision; isLoss: boolean; currency: string }) {
  const { revision, isLoss } = props;
  const { sequenceNumber, stillExceeded, absoluteDrawdown, relativeDrawdown } = revision;
  const amount = formatMoney(absoluteDrawdown, props.currency);
  return (
    <>
      Revised by event {sequenceNumber}. By the deals known now,{' '}
      {stillExceeded ? (
        <>
          the {isLoss ? 'limit' : 'target'} is still exceeded
          {isLoss ? `, by a loss of ${amount} (${formatFraction(relativeDrawdown)})` : ''}, at{' '}
          <BrokerTime value={revision.brokerTime} seconds />.
        </>
      ) : isLoss ? (
        `the limit holds: the loss was ${amount}.`
      ) : (
        'the target was not reached.'
      )}
    </>
  );
}
