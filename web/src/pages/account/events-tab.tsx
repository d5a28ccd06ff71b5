import { lazy, Suspense } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { TrackerEventRecord } from '../../../../src/contract/operations/tracker-events.ts';
import { Badge } from '../../components/badge.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money } from '../../components/money.tsx';
import { Table } from '../../components/table.tsx';
import { formatFraction } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { useLocation } from '../../lib/route.ts';
import { useAccountEvents, useTrackers } from './use-account.ts';

const EvidenceCard = lazy(async () => ({
  default: (await import('./evidence-card.tsx')).EvidenceCard,
}));

export function EventsTab({ account }: { account: AccountRecord }) {
  const events = useAccountEvents(account.id);
  const trackers = useTrackers(account.id).data;
  const chosen = useLocation().query.get('event');
  const nameOf = (id: string): string =>
    trackers?.find((tracker) => tracker._id === id)?.name ?? 'a deleted tracker';
  return (
    <>
      {chosen ? (
        <Suspense fallback={<Loading label="Loading the evidence" height={360} />}>
          <EvidenceCard key={chosen} account={account} sequenceNumber={chosen} nameOf={nameOf} />
        </Suspense>
      ) : null}
      <Card title="Events" hint="Exceeded thresholds of all trackers, newest first" flush>
        {events.error ? <ErrorNote error={events.error} retry={events.refetch} /> : null}
        {events.isPending ? (
          <div className="card-inset">
            <Loading label="Loading events" />
          </div>
        ) : null}
        {events.data?.length === 0 ? (
          <Empty
            title="No threshold was exceeded"
            action={<a href={path.account(account.id, { tab: 'trackers' })}>To the trackers</a>}
          >
            Events of this account's trackers appear here within a second.
          </Empty>
        ) : null}
        {events.data && events.data.length > 0 ? (
          <EventTable account={account} events={events.data} nameOf={nameOf} chosen={chosen} />
        ) : null}
      </Card>
    </>
  );
}

function EventTable(props: {
  account: AccountRecord;
  events: TrackerEventRecord[];
  nameOf: (trackerId: string) => string;
  chosen: string | null;
}) {
  const { account, chosen } = props;
  return (
    <Table
      caption="Events"
      rows={props.events}
      rowKey={(event) => event.sequenceNumber}
      columns={[
        {
          title: 'When (broker time)',
          cell: (event) => <BrokerTime value={event.brokerTime} bare seconds />,
        },
        {
          title: 'What',
          cell: (event) =>
            event.exceededThresholdType === 'drawdown' ? (
              <Badge tone="bad">Drawdown</Badge>
            ) : (
              <Badge tone="good">Profit</Badge>
            ),
        },
        { title: 'Tracker', cell: (event) => props.nameOf(event.trackerId) },
        {
          title: 'By',
          align: 'end',
          cell: (event) => {
            const isLoss = event.exceededThresholdType === 'drawdown';
            return (
              <span className="number nowrap">
                <Money
                  value={isLoss ? -event.absoluteDrawdown : event.absoluteProfit}
                  currency={account.currency}
                  signed
                />{' '}
                ({formatFraction(isLoss ? event.relativeDrawdown : event.relativeProfit)})
              </span>
            );
          },
        },
        {
          title: 'Evidence',
          cell: (event) => {
            const number = String(event.sequenceNumber);
            return (
              <a
                href={path.account(account.id, { tab: 'events', event: number })}
                aria-current={chosen === number ? 'true' : undefined}
              >
                {chosen === number ? 'Shown above' : 'Show'}
                <span className="visually-hidden"> evidence of event {number}</span>
              </a>
            );
          },
        },
      ]}
    />
  );
}
