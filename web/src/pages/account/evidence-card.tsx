import { useQuery } from '@tanstack/react-query';
import { LineStyle } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  EvidenceRecord,
  evidenceOperation,
} from '../../../../src/contract/operations/tracker-events.ts';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money } from '../../components/money.tsx';
import { call } from '../../lib/api.ts';
import { formatMoney } from '../../lib/format.ts';
import { useIsDark } from '../../lib/theme.ts';
import { readColours } from './chart-theme.ts';
import { drawEvidence } from './evidence-plot.ts';

const HEIGHT = 300;
const GROWING_MS = 2_000;

/** What proves an event: the snapshots around it and the sum that was crossed. */
export function EvidenceCard(props: {
  account: AccountRecord;
  sequenceNumber: string;
  nameOf: (trackerId: string) => string;
}) {
  const { account, sequenceNumber, nameOf } = props;
  const evidence = useQuery({
    queryKey: ['evidence', sequenceNumber],
    queryFn: ({ signal }) =>
      call<typeof evidenceOperation>(
        'GET /users/current/tracker-events/:sequenceNumber/evidence',
        { params: { sequenceNumber } },
        signal,
      ),
    refetchInterval: (query) => (query.state.data?.complete === false ? GROWING_MS : false),
  });
  const { data } = evidence;
  return (
    <Card
      title={data ? `Evidence: ${nameOf(data.event.trackerId)}` : 'Evidence'}
      hint={`Event ${sequenceNumber}. Equity of every snapshot around the moment; dashed is the limit.`}
    >
      {evidence.error ? <ErrorNote error={evidence.error} retry={evidence.refetch} /> : null}
      {evidence.isPending ? <Loading label="Loading the evidence" height={HEIGHT} /> : null}
      {data ? (
        <div className="stack">
          <Sum evidence={data} currency={account.currency} />
          {data.before.length + data.after.length > 1 ? (
            <EvidenceChart evidence={data} currency={account.currency} />
          ) : (
            <p className="muted">
              No snapshots are kept around this moment: it was found in stored hours when the
              tracker was created.
            </p>
          )}
          {data.complete ? null : (
            <p className="hint">Snapshots after the moment are still being added.</p>
          )}
        </div>
      ) : null}
    </Card>
  );
}

/** The equity that was crossed, before money that was paid in or out in the period. */
export function limitOf(evidence: EvidenceRecord): number {
  const { baseline, allowed, adjustment, event } = evidence;
  const isLoss = event.exceededThresholdType === 'drawdown';
  return baseline + adjustment + (isLoss ? -allowed : allowed);
}

function Sum({ evidence, currency }: { evidence: EvidenceRecord; currency: string }) {
  const isLoss = evidence.event.exceededThresholdType === 'drawdown';
  const rows: [string, number][] = [
    ['Measured from', evidence.baseline],
    [isLoss ? 'Loss allowed' : 'Profit target', evidence.allowed],
    ['Paid in or out in the period', evidence.adjustment],
    ['Limit for the equity', limitOf(evidence)],
    ['Equity then', evidence.equity],
    ['Balance then', evidence.balance],
  ];
  return (
    <dl className="evidence-sum">
      <div>
        <dt>Moment</dt>
        <dd>
          <BrokerTime value={evidence.event.brokerTime} seconds />
        </dd>
      </div>
      {rows.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <Money value={value} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function EvidenceChart({ evidence, currency }: { evidence: EvidenceRecord; currency: string }) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours need another chart
  useEffect(() => {
    if (!place.current) return;
    const limit = { value: limitOf(evidence), style: LineStyle.Dashed };
    return drawEvidence(place.current, evidence, limit, currency, readColours());
  }, [evidence, currency, isDark]);
  return (
    <figure
      ref={place}
      className="chart"
      style={{ height: HEIGHT }}
      aria-label={`Equity around the event: ${evidence.before.length} snapshots up to it, ${evidence.after.length} after it; the limit is ${formatMoney(limitOf(evidence), currency)}`}
    />
  );
}
