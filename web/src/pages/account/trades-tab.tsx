import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { HistoricalTrade } from '../../../../src/contract/operations/historical-trades.ts';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money } from '../../components/money.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatDuration, formatNumber, formatPercent } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { readTrades, type TradeRange } from './read-trades.ts';
import { downloadText, tradesToCsv } from './trades-csv.ts';
import { useMetrics } from './use-account.ts';

const ROWS = 50;
const REFRESH_MS = 30_000;

export function TradesTab({ account }: { account: AccountRecord }) {
  const { metrics, error: metricsError, retry } = useMetrics(account.id);
  const months = [...(metrics?.monthlyAnalytics ?? [])].reverse();
  const [chosen, setChosen] = useState<string>();
  const [page, setPage] = useState(0);
  const month = chosen ?? months[0]?.date ?? 'all';
  const trades = useQuery({
    queryKey: ['account', account.id, 'trades', month],
    queryFn: ({ signal }) => readTrades(account.id, rangeOf(month), signal),
    enabled: metrics !== undefined,
    refetchInterval: REFRESH_MS,
  });
  const shown = trades.data?.slice(page * ROWS, (page + 1) * ROWS) ?? [];
  const choose = (next: string): void => {
    setChosen(next);
    setPage(0);
  };
  return (
    <Card
      flush
      title="Closed trades"
      hint="Newest first, by closing time; deposits and withdrawals are among them"
      actions={
        <>
          <select
            aria-label="Month of closing"
            className="trades-month"
            value={month}
            onChange={(event) => choose(event.target.value)}
          >
            {months.map(({ date, trades: count }) => (
              <option key={date} value={date}>
                {date} ({count} {count === 1 ? 'trade' : 'trades'})
              </option>
            ))}
            <option value="all">All time</option>
          </select>
          <Download account={account} month={month} />
        </>
      }
    >
      {metricsError ? <ErrorNote error={metricsError} retry={retry} /> : null}
      {trades.error ? <ErrorNote error={trades.error} retry={trades.refetch} /> : null}
      {trades.isPending && !metricsError ? (
        <div className="card-inset">
          <Loading label="Loading trades" lines={8} />
        </div>
      ) : null}
      {shown.length > 0 ? (
        <Table
          caption="Closed trades"
          rows={shown}
          rowKey={(trade) => trade._id}
          columns={columnsOf(account.currency)}
        />
      ) : null}
      {trades.data?.length === 0 ? (
        <Empty
          title="No closed trades"
          action={<a href={path.account(account.id, { tab: 'import' })}>Import a statement</a>}
        >
          Nothing closed in this time.
        </Empty>
      ) : null}
      {trades.data && trades.data.length > ROWS ? (
        <Pages page={page} total={trades.data.length} change={setPage} />
      ) : null}
    </Card>
  );
}

function Pages(props: { page: number; total: number; change: (page: number) => void }) {
  const { page, total, change } = props;
  const first = page * ROWS + 1;
  const last = Math.min(total, (page + 1) * ROWS);
  return (
    <nav className="pages" aria-label="Pages of trades">
      <Button disabled={page === 0} onClick={() => change(page - 1)}>
        Newer
      </Button>
      <span className="number" aria-live="polite">
        {first} – {last} of {formatNumber(total, 0)}
      </span>
      <Button disabled={last >= total} onClick={() => change(page + 1)}>
        Older
      </Button>
    </nav>
  );
}

function Download({ account, month }: { account: AccountRecord; month: string }) {
  const download = useMutation({
    mutationFn: () => readTrades(account.id, rangeOf(month)),
    onSuccess: (trades) => {
      downloadText(`trades-${account.login}-${month}.csv`, 'text/csv', tradesToCsv(trades));
      showToast(`${formatNumber(trades.length, 0)} rows written`);
    },
    onError: (error) => showToast(error.message, 'bad'),
  });
  return (
    <Button busy={download.isPending} onClick={() => download.mutate()}>
      Download CSV
    </Button>
  );
}

/** The range of a month `YYYY-MM`, or of all time. */
function rangeOf(month: string): TradeRange {
  const [year = 0, number = 0] = month.split('-').map(Number);
  if (month === 'all' || !year || !number) {
    return { startTime: '0000-01-01 00:00:00.000', endTime: '9999-12-31 23:59:59.999' };
  }
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  return { startTime: `${month}-01 00:00:00.000`, endTime: `${next}-01 00:00:00.000` };
}

const typeWords = (type: string): string =>
  type.replace('DEAL_TYPE_', '').toLowerCase().replaceAll('_', ' ');

function columnsOf(currency: string): Column<HistoricalTrade>[] {
  return [
    {
      title: 'Closed (broker time)',
      cell: (trade) => <BrokerTime value={trade.closeTime} bare />,
    },
    {
      title: 'Trade',
      cell: (trade) => (
        <span className="trade-what">
          <strong>{trade.symbol ?? ''}</strong>
          <span className={trade.symbol ? 'hint' : ''}>{typeWords(trade.type)}</span>
        </span>
      ),
    },
    {
      title: 'Lots',
      align: 'end',
      wide: true,
      cell: (trade) => (trade.volume > 0 ? formatNumber(trade.volume) : '–'),
    },
    {
      title: 'Open → close price',
      align: 'end',
      wide: true,
      cell: (trade) =>
        trade.openPrice === undefined ? (
          '–'
        ) : (
          <span className="number nowrap">
            {formatNumber(trade.openPrice, 5)} → {formatNumber(trade.closePrice ?? 0, 5)}
          </span>
        ),
    },
    {
      title: 'Pips',
      align: 'end',
      wide: true,
      cell: (trade) => (trade.pips === undefined ? '–' : formatNumber(trade.pips, 1, true)),
    },
    {
      title: 'Held',
      align: 'end',
      wide: true,
      cell: (trade) => (trade.symbol ? formatDuration(trade.durationInMinutes) : '–'),
    },
    {
      title: 'Gain',
      align: 'end',
      wide: true,
      cell: (trade) => (trade.symbol ? formatPercent(trade.gain, 2, true) : '–'),
    },
    {
      title: `Profit (${currency})`,
      align: 'end',
      cell: (trade) => <Money value={trade.profit} currency={currency} signed bare />,
    },
  ];
}
