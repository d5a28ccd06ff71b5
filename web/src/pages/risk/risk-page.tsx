import { useState } from 'react';
import type { TrackerEventRecord } from '../../../../src/contract/operations/tracker-events.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { formatFraction, formatMoney } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { playTone, readAlarm, saveAlarm } from './alarm.ts';
import { AlarmSwitches } from './alarm-switches.tsx';
import { EventList } from './event-list.tsx';
import type { FeedState } from './follow-events.ts';
import './risk.css';
import { useFeed } from './use-feed.ts';
import { type Names, useNames } from './use-names.ts';

const SHOWN_FIRST = 100;

export function RiskPage() {
  const { query } = useLocation();
  const [alarm, setAlarm] = useState(readAlarm);
  const [shown, setShown] = useState(SHOWN_FIRST);
  const feed = useFeed((event) => {
    if (alarm.sound) playTone(event.exceededThresholdType === 'drawdown');
    if (alarm.notification) notify(event, names);
  });
  const all = feed.events ?? [];
  const names = useNames([...new Set(all.map(({ accountId }) => accountId))]);
  const kind = query.get('kind') ?? 'all';
  const accountId = query.get('account') ?? '';
  const events = all.filter(
    (event) =>
      (kind === 'all' || event.exceededThresholdType === kind) &&
      (accountId === '' || event.accountId === accountId),
  );
  return (
    <Page
      title="Risk feed"
      lead="Every exceeded threshold, the moment it happens"
      actions={<Connection state={feed.state} />}
    >
      <div className="risk-tools">
        <KindSwitch kind={kind} />
        <select
          aria-label="Account"
          className="risk-account"
          value={accountId}
          onChange={(event) => replaceQuery({ account: event.target.value || undefined })}
        >
          <option value="">All accounts</option>
          {[...names].map(([id, { name }]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <AlarmSwitches
          alarm={alarm}
          change={(next) => {
            saveAlarm(next);
            setAlarm(next);
          }}
        />
      </div>
      {feed.error ? <ErrorNote error={feed.error} retry={feed.retry} /> : null}
      <Card flush>
        {!feed.events && !feed.error ? (
          <div className="risk-loading">
            <Loading label="Loading events" lines={6} />
          </div>
        ) : null}
        {feed.events && events.length === 0 ? (
          <Empty
            title={all.length === 0 ? 'All within limits' : 'No event fits the filters'}
            action={
              all.length === 0 ? (
                <a href={path.accounts()}>To the accounts</a>
              ) : (
                <Button onClick={() => replaceQuery({ kind: undefined, account: undefined })}>
                  Show all
                </Button>
              )
            }
          >
            {all.length === 0
              ? 'No tracker exceeded a threshold in the last 90 days. Trackers are set on the page of an account.'
              : null}
          </Empty>
        ) : null}
        <EventList events={events.slice(0, shown)} names={names} />
        {events.length > shown ? (
          <div className="risk-more">
            <Button onClick={() => setShown(shown + SHOWN_FIRST)}>
              Show more of {events.length}
            </Button>
          </div>
        ) : null}
      </Card>
    </Page>
  );
}

const CONNECTIONS = {
  live: { tone: 'good', title: 'Live' },
  connecting: { tone: 'plain', title: 'Connecting …' },
  lost: { tone: 'warn', title: 'Connection lost, trying again' },
} as const;

function Connection({ state }: { state: FeedState }) {
  const { tone, title } = CONNECTIONS[state];
  return (
    <span role="status">
      <Badge tone={tone}>{title}</Badge>
    </span>
  );
}

const KINDS = [
  { id: 'all', title: 'All' },
  { id: 'drawdown', title: 'Drawdown' },
  { id: 'profit', title: 'Profit' },
];

function KindSwitch({ kind }: { kind: string }) {
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">Kind of event</legend>
      {KINDS.map(({ id, title }) => (
        <label key={id}>
          <input
            type="radio"
            name="kind"
            checked={kind === id}
            onChange={() => replaceQuery({ kind: id === 'all' ? undefined : id })}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
}

function notify(event: TrackerEventRecord, names: Names): void {
  const account = names.get(event.accountId);
  const isLoss = event.exceededThresholdType === 'drawdown';
  const amount = isLoss ? -event.absoluteDrawdown : event.absoluteProfit;
  const part = isLoss ? event.relativeDrawdown : event.relativeProfit;
  const note = new Notification(
    `${account?.name ?? event.accountId}: ${account?.trackers.get(event.trackerId) ?? 'threshold'}`,
    {
      body: `${account ? formatMoney(amount, account.currency, true) : amount} (${formatFraction(part)})`,
      tag: String(event.sequenceNumber),
    },
  );
  note.onclick = () => {
    focus();
    location.hash = path.account(event.accountId, {
      tab: 'events',
      event: String(event.sequenceNumber),
    });
  };
}
