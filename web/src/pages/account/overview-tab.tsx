import type { CSSProperties } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { path } from '../../lib/path.ts';
import { useMay } from '../../shell/use-may.ts';
import { ChartCard } from './chart-card.tsx';
import { CutsCard } from './cuts-card.tsx';
import { DayCalendar } from './day-calendar.tsx';
import { ExportCard } from './export-card.tsx';
import { HourBars, MonthBars } from './metric-bars.tsx';
import { MetricCards } from './metric-cards.tsx';
import { useDrawdown, useMetrics } from './use-account.ts';

export function OverviewTab({ account }: { account: AccountRecord }) {
  const { metrics, error, retry } = useMetrics(account.id);
  const drawdown = useDrawdown(account.id, false).data;
  const may = useMay();
  return (
    <>
      <ChartCard account={account} metrics={metrics} />
      {error ? <ErrorNote title="No statistics." error={error} retry={retry} /> : null}
      {!metrics && !error ? (
        <Card title="Statistics" hint="They are being computed">
          <Loading label="Computing statistics" lines={5} />
        </Card>
      ) : null}
      {metrics && metrics.trades === 0 ? (
        <Card title="Statistics">
          <Empty
            title="No closed trades yet"
            action={
              may.ingest ? (
                <a href={path.account(account.id, { tab: 'import' })}>Import a statement</a>
              ) : null
            }
          >
            Statistics appear with the first closed trade.
          </Empty>
        </Card>
      ) : null}
      {metrics && metrics.trades > 0 ? (
        <>
          <MetricCards metrics={metrics} drawdown={drawdown} />
          <DayCalendar account={account} metrics={metrics} />
          <div className="grid" style={{ '--min': '26rem' } as CSSProperties}>
            <MonthBars metrics={metrics} />
            <HourBars metrics={metrics} />
          </div>
          <CutsCard accountId={account.id} metrics={metrics} />
          <ExportCard account={account} />
        </>
      ) : null}
    </>
  );
}
