import { lazy, Suspense, useMemo, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { Badge } from '../../components/badge.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money } from '../../components/money.tsx';
import { formatFraction } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import {
  CHART_HEIGHT,
  type ChartPoint,
  pointsOfDays,
  pointsOfHours,
  type Range,
} from './chart-points.ts';
import { useAccountEvents, useEquity, useTrackers } from './use-account.ts';
import { useThresholdLines } from './use-threshold-lines.ts';

const EquityChart = lazy(async () => ({
  default: (await import('./equity-chart.tsx')).EquityChart,
}));

const RANGES: { id: Range; title: string }[] = [
  { id: 'day', title: 'Day' },
  { id: 'week', title: 'Week' },
  { id: 'month', title: 'Month' },
  { id: 'all', title: 'All' },
];

export function EquityCard(props: {
  account: AccountRecord;
  metrics: AccountMetricsRecord | undefined;
}) {
  const { account, metrics } = props;
  const [range, setRange] = useState<Range>('month');
  const equity = useEquity(account.id, range === 'all');
  const events = useAccountEvents(account.id).data;
  const trackers = useTrackers(account.id).data;
  const lines = useThresholdLines(account, trackers);
  const [hovered, setHovered] = useState<ChartPoint>();
  const { hours } = equity;
  // Accounts that only statements fill have no hours: then the balance by days is what is known.
  const isByDay = !equity.isPending && hours.length === 0;
  const points = useMemo(
    () => (isByDay ? pointsOfDays(metrics?.dailyGrowth ?? []) : pointsOfHours(hours)),
    [isByDay, hours, metrics],
  );
  const shown = hovered ?? points.at(-1);
  const isLive = hours.at(-1)?.brokerTime !== undefined;
  return (
    <Card
      title={isByDay ? 'Balance' : 'Equity and balance'}
      hint={
        isByDay
          ? 'By days of closed trades; equity appears when snapshots come in'
          : 'By hours of broker time; the band spans the lowest and highest equity of each hour'
      }
      actions={isByDay ? null : <RangeSwitch range={range} change={setRange} />}
    >
      {equity.error ? <ErrorNote error={equity.error} retry={equity.retry} /> : null}
      {shown ? (
        <Values point={shown} currency={account.currency} isLive={isLive && !hovered} />
      ) : null}
      {equity.isPending || (isByDay && !metrics) ? (
        <Loading label="Loading the chart" height={CHART_HEIGHT} />
      ) : null}
      {points.length > 0 ? (
        <Suspense fallback={<Loading label="Loading the chart" height={CHART_HEIGHT} />}>
          <EquityChart
            points={points}
            range={range}
            currency={account.currency}
            lines={isByDay ? [] : lines}
            events={isByDay ? [] : (events ?? [])}
            hover={setHovered}
          />
        </Suspense>
      ) : null}
      {!equity.isPending && points.length === 0 && metrics ? (
        <Empty
          title="No history yet"
          action={<a href={path.account(account.id, { tab: 'import' })}>Import a statement</a>}
        >
          The chart begins with the first snapshot or statement.
        </Empty>
      ) : null}
    </Card>
  );
}

function RangeSwitch(props: { range: Range; change: (range: Range) => void }) {
  return (
    <fieldset className="segmented segmented-small">
      <legend className="visually-hidden">Range of the chart</legend>
      {RANGES.map(({ id, title }) => (
        <label key={id}>
          <input
            type="radio"
            name="range"
            checked={props.range === id}
            onChange={() => props.change(id)}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** What the crosshair points at, else the newest values. */
function Values(props: { point: ChartPoint; currency: string; isLive: boolean }) {
  const { point, currency } = props;
  return (
    <div className="chart-values">
      {point.equity === undefined ? null : (
        <span className="chart-value">
          <i className="key key-equity" />
          Equity <Money value={point.equity} currency={currency} />
        </span>
      )}
      <span className="chart-value">
        <i className="key key-balance" />
        Balance <Money value={point.balance} currency={currency} />
      </span>
      {point.low === undefined || point.high === undefined ? null : (
        <span className="chart-value wide-only">
          <i className="key key-band" />
          <Money value={point.low} currency={currency} bare /> to{' '}
          <Money value={point.high} currency={currency} bare />
        </span>
      )}
      <span className="chart-value">
        Below peak <span className="number">{formatFraction(point.belowPeak)}</span>
      </span>
      <span className="chart-value chart-time">
        <BrokerTime value={point.brokerTime} />
        {props.isLive ? <Badge tone="good">Live</Badge> : null}
      </span>
    </div>
  );
}
