import type { IncidentRecord } from '../../../../src/contract/operations/incidents.ts';
import type {
  EvidenceRecord,
  evidenceOperation,
} from '../../../../src/contract/operations/tracker-events.ts';
import { EvidenceChart } from '../../charts/evidence-chart.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { Shown } from '../../components/shown.tsx';
import { revisionsOf } from '../../desk/verdict.ts';
import { useRead } from '../../lib/use-operation.ts';
import { CasePart } from './case-part.tsx';
import { Equation } from './equation.tsx';
import { RevisionPart } from './revision-part.tsx';
import { SnapshotTable } from './snapshot-table.tsx';

const GROWING_MS = 2_000;

/** The evidence of one exceeded threshold: the calculation, and the snapshots around it. */
export function EvidenceCard(props: {
  incident: IncidentRecord;
  event: IncidentRecord['events'][number];
}) {
  const { incident, event } = props;
  const { trackerName = 'a deleted tracker' } = event;
  const sequenceNumber = String(event.sequenceNumber);
  const revisions = revisionsOf(incident, event);
  const evidence = useRead<typeof evidenceOperation>(
    ['evidence', sequenceNumber],
    'GET /users/current/tracker-events/:sequenceNumber/evidence',
    { params: { sequenceNumber } },
    { refetchInterval: (query) => (query.state.data?.complete === false ? GROWING_MS : false) },
  );
  const { currency } = incident;
  return (
    <Card title={`Evidence: ${trackerName}`} hint={`Event ${sequenceNumber}`}>
      <Shown read={evidence} what="the evidence" height={360}>
        {(data) => (
          <div className="stack">
            <Moment evidence={data} currency={currency} />
            {revisions.map((revision) => (
              <RevisionPart
                key={revision.sequenceNumber}
                revision={revision}
                threshold={event.exceededThresholdType}
                currency={currency}
              />
            ))}
            {revisions.length > 0 ? <h3>What was told</h3> : null}
            <Equation measured={data} threshold={event.exceededThresholdType} currency={currency} />
            {data.before.length + data.after.length > 1 ? (
              <>
                <EvidenceChart evidence={data} currency={currency} />
                <SnapshotTable evidence={data} currency={currency} />
              </>
            ) : (
              <p className="muted">
                No snapshots are kept around this moment: it was found in stored hours when the
                tracker was created, exact to the hour.
              </p>
            )}
            {data.complete ? null : (
              <p className="hint">Snapshots after the moment are still being added.</p>
            )}
            <CasePart sequenceNumber={sequenceNumber} />
          </div>
        )}
      </Shown>
    </Card>
  );
}

function Moment({ evidence, currency }: { evidence: EvidenceRecord; currency: string }) {
  const { event, initialBalance, balance } = evidence;
  return (
    <Facts
      of={[
        ['Moment, broker time', event.brokerTime],
        [
          'Period',
          <span key="period">
            <BrokerTime value={event.startBrokerTime} bare /> to{' '}
            {event.endBrokerTime ? <BrokerTime value={event.endBrokerTime} bare /> : 'no end'}
          </span>,
        ],
        ['Balance at its start', <Money key="start" value={initialBalance} currency={currency} />],
        ['Balance at the moment', <Money key="now" value={balance} currency={currency} />],
      ]}
    />
  );
}
