import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loading } from '../../components/loading.tsx';
import { Table } from '../../components/table.tsx';
import { showToast } from '../../components/toast.tsx';
import { downloadText } from '../../lib/download.ts';
import { countOf, formatNumber } from '../../lib/format.ts';
import { LOCALE } from '../../lib/locale.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';
import { OpenPositions } from './open-positions.tsx';
import { readAllTrades, readTrades, type TradeQuery } from './read-trades.ts';
import { tradeColumns, tradeFacts } from './trade-columns.tsx';
import { filterOf, NO_TRADE_FILTER, queryOf, TradeFilters } from './trade-filters.tsx';
import { tradesToCsv } from './trades-csv.ts';

const PAGE = 50;
const REFRESH_MS = 30_000;

export function TradesTab({ account }: { account: AccountRecord }) {
  const filter = filterOf(useLocation().query);
  const query = queryOf(filter);
  return (
    <>
      <OpenPositions account={account} />
      <Card
        flush
        title="Closed trades"
        hint="Newest first, in broker time; deposits and withdrawals are among them"
        actions={<TradeDownload account={account} query={query} />}
      >
        <TradeFilters filter={filter} change={replaceQuery} />
        <Found account={account} query={query} reset={() => replaceQuery(NO_TRADE_FILTER)} />
      </Card>
    </>
  );
}

function Found(props: { account: AccountRecord; query: TradeQuery; reset: () => void }) {
  const { account, query } = props;
  const may = useMay();
  const found = useInfiniteQuery({
    queryKey: ['account', account.id, 'trades', query],
    queryFn: ({ pageParam, signal }) =>
      readTrades(account.id, { ...query, limit: PAGE, includeExcursions: true }, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFRESH_MS,
  });
  const trades = found.data?.pages.flatMap((page) => page.trades) ?? [];
  const total = found.data?.pages[0]?.total ?? 0;
  const isFiltered = Object.keys(query).length > 0;
  if (found.error) return <ErrorNote error={found.error} retry={found.refetch} />;
  if (found.isPending) {
    return (
      <div className="card-inset">
        <Loading label="Loading trades" lines={8} />
      </div>
    );
  }
  return (
    <>
      {trades.length > 0 ? (
        <Table
          caption="Closed trades"
          rows={trades}
          rowKey={(trade) => trade._id}
          columns={tradeColumns(account.currency)}
          opens={(trade) => ({
            name: `${trade.symbol ?? 'Operation'} ${trade.positionId}`,
            content: <Facts of={tradeFacts(trade, account.currency)} />,
          })}
        />
      ) : found.hasNextPage ? null : (
        <Empty
          title={isFiltered ? 'No trades match' : 'No closed trades'}
          action={
            isFiltered ? (
              <Button onClick={props.reset}>Show all</Button>
            ) : may.ingest ? (
              <a href={path.account(account.id, { tab: 'import' })}>Import a statement</a>
            ) : null
          }
        >
          {isFiltered ? null : 'Nothing has been closed yet.'}
        </Empty>
      )}
      <div className="pages">
        <span className="number hint" aria-live="polite">
          {isFiltered
            ? `${formatNumber(trades.length, 0)} found${found.hasNextPage ? ' so far' : ''}, of ${formatNumber(total, 0)} lines`
            : `The newest ${formatNumber(trades.length, 0)} of ${formatNumber(total, 0)} lines`}
        </span>
        {found.hasNextPage ? (
          <Button busy={found.isFetchingNextPage} onClick={() => found.fetchNextPage()}>
            {isFiltered ? 'Look further back' : 'Show older ones'}
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** All trades that fit the filters as a file, not only those on the page. */
function TradeDownload({ account, query }: { account: AccountRecord; query: TradeQuery }) {
  const [count, setCount] = useState(0);
  const download = useMutation({
    mutationFn: () => readAllTrades(account.id, query, setCount),
    onSuccess: ({ trades, isWhole }) => {
      downloadText(`trades-${account.login}.csv`, 'text/csv', tradesToCsv(trades, LOCALE));
      const rows = `${countOf(trades.length, 'row')} written`;
      if (isWhole) showToast(rows);
      else showToast(`${rows}; older ones are left out: choose fewer days`, { tone: 'bad' });
    },
    onError: (error) => showToast(error.message, { tone: 'bad' }),
  });
  return (
    <Button busy={download.isPending} onClick={() => download.mutate()}>
      {download.isPending ? `${formatNumber(count, 0)} read …` : 'Download CSV'}
    </Button>
  );
}
