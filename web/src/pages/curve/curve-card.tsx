import { useMemo, useRef, useState } from 'react';
import type { CombinedCurveRecord } from '../../../../src/contract/operations/equity-curve.ts';
import { ChartActions } from '../../charts/chart-actions.tsx';
import { ChartLoading } from '../../charts/chart-loading.tsx';
import type { ChartHandle } from '../../charts/picture.ts';
import { showAll, showStretch, stretchOf } from '../../charts/seen-stretch.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { Money } from '../../components/money.tsx';
import { Table } from '../../components/table.tsx';
import { downloadBlob } from '../../lib/download.ts';
import { lazily } from '../../lib/lazily.tsx';
import { useLocation } from '../../lib/route.ts';

type Hour = CombinedCurveRecord['hours'][number];

const CompareChart = lazily(
  async () => (await import('../../charts/compare-chart.tsx')).CompareChart,
  ChartLoading,
);

const NAMES = ['Equity', 'Balance'];
const HOUR_SECONDS = 3600;
const HINT =
  'The last 30 days, UTC. Each account counts with its last reading, from its first one on. The past is converted at the rates of now: the curve moves with trading, not with currencies; it steps where an account begins, or is paid in or out. Drag across a range to zoom in, double-click to zoom out; on the keyboard, Shift and the arrows select a range, Enter zooms in.';

/** The chart, the hour at its cross-hair in words, and the days as a table. */
export function CurveCard({ curve }: { curve: CombinedCurveRecord }) {
  const { currency } = curve;
  const { query } = useLocation();
  const stretch = stretchOf(query);
  const [from, to] = stretch ?? [0, Number.POSITIVE_INFINITY];
  const [row, setRow] = useState<number>();
  const chart = useRef<ChartHandle>(null);
  const hours = useMemo(
    () => curve.hours.filter((hour) => endOf(hour) >= from && endOf(hour) <= to),
    [curve, from, to],
  );
  const comparison = useMemo(() => linesOf(hours), [hours]);
  // A chosen stretch may end before the hour that the cross-hair was at.
  const seen = hours[Math.min(row ?? Number.POSITIVE_INFINITY, hours.length - 1)];
  const save = async (): Promise<void> => {
    const picture = await chart.current?.picture(`Accounts together, ${currency}, UTC`);
    if (picture) downloadBlob('curve.png', picture);
  };
  return (
    <Card
      title="Equity and balance"
      hint={HINT}
      actions={
        <ChartActions
          isZoomed={stretch !== undefined}
          save={seen ? () => void save() : undefined}
        />
      }
    >
      {seen ? (
        <>
          <HourValues hour={seen} currency={currency} isLatest={seen === curve.hours.at(-1)} />
          <ErrorBoundary isPart>
            <CompareChart
              ref={chart}
              comparison={comparison}
              names={NAMES}
              currency={currency}
              hover={setRow}
              chosen={showStretch}
              all={showAll}
            />
          </ErrorBoundary>
          <details className="marks">
            <summary>As a table, at the end of each day</summary>
            <DayTable hours={hours} currency={currency} />
          </details>
        </>
      ) : (
        <Empty title="No hours with figures">
          {curve.hours.length > 0
            ? 'The curve has none in the range of the address.'
            : 'All accounts are left out, for the reasons below.'}
        </Empty>
      )}
    </Card>
  );
}

const endOf = ({ startTime }: Hour): number => Date.parse(startTime) / 1000 + HOUR_SECONDS;

/** Two lines of the chart for comparisons. */
function linesOf(hours: readonly Hour[]) {
  const line = (gains: number[]) => ({ gains, gain: 0, deepest: 0 });
  return {
    times: hours.map(endOf),
    accounts: [line(hours.map(({ equity }) => equity)), line(hours.map(({ balance }) => balance))],
  };
}

const textOf = (startTime: string): string => startTime.slice(0, 16).replace('T', ' ');

function HourValues(props: { hour: Hour; currency: string; isLatest: boolean }) {
  const { hour, currency } = props;
  return (
    <div className="chart-values">
      {NAMES.map((name, place) => (
        <span key={name} className="chart-value">
          <svg className={`series-key series-${place + 1}`} viewBox="0 0 28 4" aria-hidden>
            <path d="M0 2h28" />
          </svg>
          {name} <Money value={place === 0 ? hour.equity : hour.balance} currency={currency} />
        </span>
      ))}
      <span className="chart-value">
        Accounts <span className="number">{hour.accounts}</span>
        {hour.quiet > 0 ? <span className="hint">({hour.quiet} without a new reading)</span> : null}
      </span>
      <span className="chart-value chart-time number">
        {textOf(hour.startTime)} to {hour.startTime.slice(11, 13)}:59
        <span className="unit"> UTC{props.isLatest ? ', newest' : ''}</span>
      </span>
    </div>
  );
}

function DayTable({ hours, currency }: { hours: readonly Hour[]; currency: string }) {
  const days = [...Map.groupBy(hours, ({ startTime }) => startTime.slice(0, 10))].flatMap(
    ([day, own]) => own.slice(-1).map((hour) => ({ day, ...hour })),
  );
  return (
    <Table
      caption="The curve by days of UTC, newest first"
      rows={days.reverse()}
      rowKey={({ day }) => day}
      columns={[
        { title: 'Day', cell: ({ day }) => <span className="number">{day}</span> },
        {
          ...{ title: `Equity, ${currency}`, align: 'end' },
          cell: ({ equity }) => <Money value={equity} currency={currency} bare />,
        },
        {
          ...{ title: `Balance, ${currency}`, align: 'end' },
          cell: ({ balance }) => <Money value={balance} currency={currency} bare />,
        },
        {
          ...{ title: 'Accounts', align: 'end' },
          cell: ({ accounts }) => <span className="number">{accounts}</span>,
        },
      ]}
    />
  );
}
