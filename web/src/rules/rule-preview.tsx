import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AccountRecord } from '../../../src/contract/operations/accounts.ts';
import type {
  NewTracker,
  previewTrackerOperation,
} from '../../../src/contract/operations/trackers.ts';
import { BrokerTime } from '../components/broker-time.tsx';
import { Loading } from '../components/loading.tsx';
import { Money } from '../components/money.tsx';
import { ApiError, type call } from '../lib/api.ts';
import { countOf, formatFraction } from '../lib/format.ts';
import { useRead } from '../lib/use-operation.ts';

const TYPING_MS = 400;
const EVENTS_SHOWN = 12;

/** When the tracker would have reported, had it existed all along. */
export function RulePreview(props: { account: AccountRecord; rule: Omit<NewTracker, 'name'> }) {
  const { account } = props;
  const body = useLater({ ...props.rule, name: 'preview' });
  const preview = useRead<typeof previewTrackerOperation>(
    ['account', account.id, 'preview', body],
    'POST /users/current/accounts/:accountId/trackers/preview',
    { params: { accountId: account.id }, body, onlyReads: true },
    { placeholderData: keepPreviousData, retry: false },
  );
  return (
    <div aria-busy={preview.isFetching}>
      <h3>Against the stored history</h3>
      {preview.isPending ? <Loading label="Trying it on the history" lines={3} /> : null}
      {preview.error ? (
        <p className="muted">
          {preview.error instanceof ApiError && preview.error.faults[0]
            ? `${preview.error.faults[0].parameter} ${preview.error.faults[0].message}`
            : preview.error.message}
        </p>
      ) : null}
      {preview.data && !preview.error ? (
        <Found found={preview.data} currency={account.currency} />
      ) : null}
    </div>
  );
}

type Preview = Awaited<ReturnType<typeof call<typeof previewTrackerOperation>>>;

function Found({ found, currency }: { found: Preview; currency: string }) {
  const { events, periods, startBrokerTime } = found;
  if (!startBrokerTime || periods.length === 0) {
    return <NoHistory />;
  }
  const newest = [...events].reverse();
  return (
    <>
      <p>
        Since <BrokerTime value={startBrokerTime} /> it would have fired{' '}
        <strong>{events.length === 0 ? 'never' : countOf(events.length, 'time')}</strong> in{' '}
        {countOf(periods.length, 'period')}.
      </p>
      <ul className="preview-events">
        {newest.slice(0, EVENTS_SHOWN).map((event) => (
          <li key={event.brokerTime}>
            <BrokerTime value={event.brokerTime} bare />
            {event.exceededThresholdType === 'drawdown' ? (
              <span>
                <Money value={-event.absoluteDrawdown} currency={currency} signed /> (
                {formatFraction(-event.relativeDrawdown)})
              </span>
            ) : (
              <span>
                <Money value={event.absoluteProfit} currency={currency} signed /> (
                {formatFraction(event.relativeProfit, 2, true)})
              </span>
            )}
          </li>
        ))}
      </ul>
      {newest.length > EVENTS_SHOWN ? (
        <p className="hint">and {countOf(newest.length - EVENTS_SHOWN, 'time')} before</p>
      ) : null}
      <PreviewSight seenBy={found.seenBy} />
    </>
  );
}

type Sight = { seenBy: Preview['seenBy'] | undefined };

/** What a preview can't know, by what it saw. */
export function PreviewSight({ seenBy }: Sight) {
  return (
    <p className="hint">
      {seenBy === 'deals'
        ? 'By closed trades only: losses of open positions are unknown without snapshots, so a limit may have been broken earlier.'
        : 'Times of the past are exact to the hour.'}{' '}
      400 days back at most.
    </p>
  );
}

export function NoHistory() {
  return (
    <p className="muted">
      There is nothing to try it on yet: neither snapshots nor trades after a deposit.
    </p>
  );
}

/** A value that has not changed for a moment. */
function useLater<T>(value: T): T {
  const [later, setLater] = useState(value);
  const key = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal values need no new wait
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return later;
}
