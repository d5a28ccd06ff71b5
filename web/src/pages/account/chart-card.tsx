import { useMemo, useRef, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { ChartActions } from '../../charts/chart-actions.tsx';
import { ChartLoading } from '../../charts/chart-loading.tsx';
import {
  type ChartPoint,
  pointsOf,
  pointsOfDays,
  pointsOfMinutes,
} from '../../charts/chart-points.ts';
import type { ChartHandle } from '../../charts/picture.ts';
import { showAll } from '../../charts/seen-stretch.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { downloadBlob } from '../../lib/download.ts';
import { lazily } from '../../lib/lazily.tsx';
import { path } from '../../lib/path.ts';
import { useLocation } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';
import { RANGES, rangeOf, showRange, useSeenRange } from './chart-range.ts';
import { ChartValues } from './chart-values.tsx';
import { MarkList } from './mark-list.tsx';
import { useDrawdown, useEquity, useMinutes } from './use-account.ts';
import { useLimitLines } from './use-limit-lines.ts';
import { useMarks } from './use-marks.ts';

const EquityChart = lazily(
  async () => (await import('../../charts/equity-chart.tsx')).EquityChart,
  ChartLoading,
);

const ZOOM_HINT =
  'Drag across a range to zoom in, double-click to zoom out; on the keyboard, Shift and the arrows select a range, Enter zooms in.';
const HOURS_HINT = `Broker time. The band spans the lowest and highest equity of each hour; no line is drawn over more than six hours without snapshots. ${ZOOM_HINT}`;
const MINUTES_HINT = `Broker time. The band spans the lowest and highest equity of each minute, of hours where minutes are no longer kept; no line is drawn over more than ten minutes without snapshots. ${ZOOM_HINT}`;
const DAYS_HINT =
  'By days of booked deals, broker time; equity appears when snapshots come in. Below: under the highest point of the time-weighted index, deposits and withdrawals left out.';

export function ChartCard(props: {
  account: AccountRecord;
  metrics: AccountMetricsRecord | undefined;
}) {
  const { account, metrics } = props;
  const { query } = useLocation();
  const range = rangeOf(query);
  const isWide = range === 'year' || range === 'all';
  const isByMinute = range === 'day' || range === 'two-days';
  const { failed, drawdown, isByDay, points, isPending } = useChart(
    ...([account, isWide, isByMinute, metrics] as const),
  );
  const [hovered, setHovered] = useState<ChartPoint>();
  const [chosen, setChosen] = useState<string>();
  const chart = useRef<ChartHandle>(null);
  const hasPoints = points.length > 0;
  const seen = useSeenRange(points, isByDay ? 'all' : range, query);
  const lines = useLimitLines(account.id, isWide, !isByDay);
  const { marks, items } = useMarks(account, seen.range, drawdown);
  return (
    <Card
      title={isByDay ? 'Balance' : 'Equity and balance'}
      hint={isByDay ? DAYS_HINT : isByMinute ? MINUTES_HINT : HOURS_HINT}
      actions={
        <ChartActions
          isZoomed={seen.isZoomed}
          save={hasPoints ? () => void savePicture(chart.current, account, points) : undefined}
        >
          {isByDay ? null : (
            <Segmented
              legend="Range of the chart"
              options={RANGES}
              value={range}
              choose={showRange}
            />
          )}
        </ChartActions>
      }
    >
      {failed ? <ErrorNote error={failed.error} retry={failed.retry} /> : null}
      {hasPoints ? (
        <ChartValues
          account={account}
          point={hovered ?? points.at(-1)}
          isLatest={!hovered}
          lines={lines}
        />
      ) : null}
      {isPending ? <ChartLoading /> : null}
      {!isPending && hasPoints ? (
        <ErrorBoundary isPart>
          <EquityChart
            ref={chart}
            points={points}
            range={seen.range}
            currency={account.currency}
            isByDay={isByDay}
            lines={lines}
            marks={marks}
            hover={setHovered}
            choose={(mark) => setChosen(mark.id)}
            chosen={seen.zoom}
            all={showAll}
          />
        </ErrorBoundary>
      ) : null}
      {hasPoints ? <MarkList account={account} items={items} chosen={chosen} /> : null}
      {!isPending && !hasPoints && (metrics || !isByDay) ? (
        <NoHistory accountId={account.id} />
      ) : null}
    </Card>
  );
}

/** The data of the chart: minutes or hours with snapshots, or else days with booked deals. */
function useChart(
  account: AccountRecord,
  isWide: boolean,
  isByMinute: boolean,
  metrics: AccountMetricsRecord | undefined,
) {
  const equity = useEquity(account.id, isWide);
  const { data: drawdown } = useDrawdown(account.id, isWide);
  const hours = equity.items;
  const ofMinutes = useMinutes(account.id, isByMinute);
  const minutes = ofMinutes.items;
  // Accounts filled only from statements have no hours: then the balance by days is shown.
  const isByDay = !equity.isPending && hours.length === 0;
  const points = useMemo(() => {
    if (isByDay) return pointsOfDays(metrics?.dailyGrowth ?? []);
    return isByMinute
      ? pointsOfMinutes(minutes, hours, drawdown)
      : pointsOf(hours, drawdown, 'hour');
  }, [isByDay, isByMinute, minutes, hours, drawdown, metrics]);
  const isPending = equity.isPending || (isByDay && !metrics);
  const failed = [equity, ofMinutes].find(({ error }) => error);
  return { failed, drawdown: isByDay ? undefined : drawdown, isByDay, points, isPending };
}

function NoHistory({ accountId }: { accountId: string }) {
  const may = useMay();
  return (
    <Empty
      title="No history yet"
      action={
        may.ingest ? (
          <a href={path.account(accountId, { tab: 'import' })}>Import a statement</a>
        ) : null
      }
    >
      The chart begins with the first snapshot or statement.
    </Empty>
  );
}

async function savePicture(
  chart: ChartHandle | null,
  { name, login, broker, currency }: AccountRecord,
  points: readonly ChartPoint[],
): Promise<void> {
  const until = points.at(-1)?.when ?? '';
  const title = `${name} (${login}, ${broker}), ${currency}, up to ${until} broker time`;
  const picture = await chart?.picture(title);
  if (picture) downloadBlob(`chart-${login}.png`, picture);
}
