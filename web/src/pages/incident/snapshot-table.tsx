import type { EvidenceRecord } from '../../../../src/contract/operations/tracker-events.ts';
import { limitOf } from '../../charts/evidence-limit.ts';
import { Badge } from '../../components/badge.tsx';
import { Money } from '../../components/money.tsx';
import { Table } from '../../components/table.tsx';

/** Every snapshot that is kept, to the millisecond, with its distance to the limit. */
export function SnapshotTable({
  evidence,
  currency,
}: {
  evidence: EvidenceRecord;
  currency: string;
}) {
  const limit = limitOf(evidence);
  const place = evidence.before.length - 1;
  const rows = [...evidence.before, ...evidence.after].map((snapshot, index) => ({
    ...snapshot,
    index,
  }));
  return (
    <Table
      caption="Snapshots around the moment"
      rows={rows}
      rowKey={({ index }) => index}
      columns={[
        {
          title: 'Broker time',
          cell: ({ brokerTime, index }) => (
            <span className="row">
              <span className="number nowrap">{brokerTime}</span>
              {index === place ? <Badge tone="bad">Exceeded</Badge> : null}
            </span>
          ),
        },
        {
          title: `Equity (${currency})`,
          align: 'end',
          cell: ({ equity }) => <Money value={equity} currency={currency} bare />,
        },
        {
          title: 'From the limit',
          align: 'end',
          cell: ({ equity }) => <Money value={equity - limit} currency={currency} signed bare />,
        },
        {
          title: `Balance (${currency})`,
          align: 'end',
          cell: ({ balance }) => <Money value={balance} currency={currency} bare />,
        },
      ]}
    />
  );
}
