import { useMemo, useRef, useState } from 'react';
import { ChartActions } from '../../charts/chart-actions.tsx';
import { ChartLoading } from '../../charts/chart-loading.tsx';
import { type Comparison, compareAccounts } from '../../charts/compare-series.ts';
import type { ChartHandle } from '../../charts/picture.ts';
import { showAll, showStretch, stretchOf } from '../../charts/seen-stretch.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { downloadBlob } from '../../lib/download.ts';
import { toBrokerTime } from '../../lib/format.ts';
import { lazily } from '../../lib/lazily.tsx';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { ComparedTable } from './compared-table.tsx';
import { useCompared } from './use-compared.ts';

const RANGES = [
  { value: 'month', title: '30 days' },
  { value: 'all', title: 'All' },
] as const;

const HINT =
  'Broker time, each account by its own clock. All start at 0 in the first hour in which each of them has figures. Drag across a range to zoom in, double-click to zoom out; on the keyboard, Shift and the arrows select a range, Enter zooms in.';
const STRETCH_HINT =
  'A range, broker time, each account by its own clock. All start at 0 in its first hour in which each of them has figures; so does the table.';

const CompareChart = lazily(
  async () => (await import('../../charts/compare-chart.tsx')).CompareChart,
  ChartLoading,
);

/** The gains of accounts, on a chart and in a table. */
export function Compared({
  ids,
  remove,
}: {
  ids: readonly string[];
  remove: (id: string) => void;
}) {
  const { query } = useLocation();
  const range = rangeOf(query);
  const stretch = stretchOf(query);
  const read = useCompared(ids, range === 'all');
  const comparison = useComparison(read, ids, range, stretch);
  const [row, setRow] = useState<number>();
  const chart = useRef<ChartHandle>(null);
  const names = read.accounts.map((account, index) => account?.name ?? ids[index] ?? '');
  const hasHours = comparison.times.length > 0;
  const place = row ?? comparison.times.length - 1;
  return (
    <Card
      title="Gain"
      hint={stretch ? STRETCH_HINT : HINT}
      actions={
        <ChartActions
          isZoomed={stretch !== undefined}
          save={hasHours ? () => void savePicture(chart.current, comparison) : undefined}
        >
          <Segmented
            legend="Range of the chart"
            options={RANGES}
            value={range}
            choose={showRange}
          />
        </ChartActions>
      }
    >
      {read.error ? <ErrorNote error={read.error} retry={read.retry} /> : null}
      {read.isPending && !read.error ? (
        <ChartLoading />
      ) : (
        <>
          {hasHours ? (
            <ErrorBoundary isPart>
              <CompareChart
                ref={chart}
                comparison={comparison}
                names={names}
                hover={setRow}
                chosen={showStretch}
                all={showAll}
              />
            </ErrorBoundary>
          ) : (
            <Empty title="No hours with figures in this range">
              Equity comes with snapshots: accounts that only statements fill have none.
            </Empty>
          )}
          <ComparedTable
            accounts={inHour(ids, read, comparison, place)}
            timeSeconds={comparison.times[place]}
            isLatest={row === undefined}
            remove={remove}
          />
        </>
      )}
    </Card>
  );
}

/** The accounts, with their gains in the hour at the cross-hair. */
const inHour = (
  ids: readonly string[],
  read: ReturnType<typeof useCompared>,
  comparison: Comparison,
  place: number,
) =>
  read.accounts.map((account, index) => ({
    id: ids[index] ?? '',
    account,
    compared: comparison.accounts[index],
    here: comparison.accounts[index]?.gains[place] ?? undefined,
  }));

type Range = (typeof RANGES)[number]['value'];

const rangeOf = (query: URLSearchParams): Range =>
  RANGES.find(({ value }) => value === query.get('range'))?.value ?? 'month';

/** Their gains, recomputed for a new answer or stretch. */
function useComparison(
  read: ReturnType<typeof useCompared>,
  ids: readonly string[],
  range: Range,
  stretch: ReturnType<typeof stretchOf>,
): Comparison {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawdowns are new objects each time
  return useMemo(
    () =>
      compareAccounts(
        read.drawdowns.map((drawdown) => drawdown?.points ?? []),
        stretch,
      ),
    [ids.join(','), range, stretch?.join(), read.updatedAt, read.isPending],
  );
}

const showRange = (range: Range): void =>
  replaceQuery({
    range: range === 'month' ? undefined : range,
    ...{ from: undefined, to: undefined },
  });

async function savePicture(chart: ChartHandle | null, { times }: Comparison): Promise<void> {
  const until = toBrokerTime((times.at(-1) ?? 0) * 1000).slice(0, 16);
  const picture = await chart?.picture(`Gain of accounts, up to ${until} broker time`);
  if (picture) downloadBlob('comparison.png', picture);
}
