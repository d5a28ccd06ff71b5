import type { EvidenceRecord } from '../../../../src/contract/operations/tracker-events.ts';
import { limitOf } from '../../charts/evidence-limit.ts';
import { Badge } from '../../components/badge.tsx';
import { Money } from '../../components/money.tsx';
import { Table } from '../../components/table.tsx';
import { formatLocalTime } from '../../lib/format.ts';
import { useIsPrinting } from '../../lib/printing.ts';

/** In print, so that a case fits one page: this many on each side of the moment. */
const PRINTED_BESIDE = 4;

/** Every stored snapshot, to the millisecond, with its distance to the limit of its period. */
export function SnapshotTable({
  evidence,
  currency,
}: {
  evidence: EvidenceRecord;
  currency: string;
}) {
  const limit = limitOf(evidence, evidence.event.exceededThresholdType);
  // Other periods of the rule have limits of their own.
  const { startBrokerTime, endBrokerTime = '9999' } = evidence.event;
  const place = evidence.before.length - 1;
  const all = [...evidence.before, ...evidence.after].map((snapshot, index) => ({
    ...snapshot,
    index,
  }));
  const isPrinting = useIsPrinting();
  const rows = all.filter(({ index }) => !isPrinting || Math.abs(index - place) <= PRINTED_BESIDE);
  return (
    <>
      {isPrinting && rows.length < all.length ? (
        <p className="hint">
          The {rows.length} snapshots nearest to the moment, of {all.length}; the signed case file
          has all.
        </p>
      ) : null}
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
            cell: ({ equity, brokerTime }) =>
              brokerTime < startBrokerTime || brokerTime > endBrokerTime ? (
                <span className="muted">–</span>
              ) : (
                <Money value={equity - limit} currency={currency} signed bare />
              ),
          },
          {
            title: `Balance (${currency})`,
            align: 'end',
            cell: ({ balance }) => <Money value={balance} currency={currency} bare />,
          },
          {
            title: 'Received',
            cell: ({ receivedAt }) => (
              <span className="number nowrap">{formatLocalTime(receivedAt, true)}</span>
            ),
          },
        ]}
      />
    </>
  );
}
