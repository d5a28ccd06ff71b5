import { BrokerTime } from '../components/broker-time.tsx';
import { formatFraction, formatMoney } from '../lib/format.ts';
import type { Revision } from './verdict.ts';

/** Later corrections of an event, in words. */
export function RevisionLine(props: { revision: Revision; isLoss: boolean; currency: string }) {
  const { revision, isLoss } = props;
  const { sequenceNumber, stillExceeded } = revision;
  const [amount, share] = isLoss
    ? [revision.absoluteDrawdown, revision.relativeDrawdown]
    : [revision.absoluteProfit, revision.relativeProfit];
  const money = formatMoney(amount, props.currency);
  return (
    <>
      Revised by event {sequenceNumber}. By the deals known now,{' '}
      {stillExceeded ? (
        <>
          the {isLoss ? 'limit' : 'target'} is still exceeded, by a {isLoss ? 'loss' : 'profit'} of{' '}
          {money} ({formatFraction(share)}), at <BrokerTime value={revision.brokerTime} seconds />.
        </>
      ) : isLoss ? (
        `the limit holds: the loss was ${money}.`
      ) : (
        'the target was not reached.'
      )}
    </>
  );
}
