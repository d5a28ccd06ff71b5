import {
  AgeCell,
  AmountCell,
  LimitCell,
  NameCell,
  openProfitOf,
  rowClassOf,
} from '../../accounts/account-cells.tsx';
import type { Asked, Row, useOverview } from '../../accounts/use-overview.ts';
import { AccountState } from '../../components/account-state.tsx';
import type { SparkPoint } from '../../components/spark-lines.ts';
import { Sparkline } from '../../components/sparkline.tsx';
import { type Sight, type VirtualColumn, VirtualTable } from '../../components/virtual-table.tsx';
import { replaceQuery } from '../../lib/route.ts';

const COLUMNS: VirtualColumn<Row>[] = [
  {
    title: 'Account',
    sort: 'name',
    className: 'c-name',
    width: [10.4, 2],
    printed: 2.2,
    area: 'name',
    cell: (account) => <NameCell account={account} />,
  },
  {
    title: 'State',
    width: [7.6],
    printed: 0.9,
    area: 'state',
    areaAlign: 'end',
    cell: ({ state, ageSeconds, answeredAtMs }) => (
      <AccountState state={state} ageSeconds={ageSeconds} answeredAtMs={answeredAtMs} />
    ),
  },
  {
    title: 'Balance',
    sort: 'balance',
    align: 'end',
    width: [7.6, 1],
    printed: 1.2,
    area: 'balance',
    areaAlign: 'start',
    isTitledThere: true,
    cell: (account) => <AmountCell account={account} value={account.balance} />,
  },
  {
    title: 'Equity',
    sort: 'equity',
    align: 'end',
    width: [7.6, 1],
    printed: 1.2,
    area: 'equity',
    areaAlign: 'start',
    isTitledThere: true,
    cell: (account) => <AmountCell account={account} value={account.equity} />,
  },
  {
    title: 'Open profit',
    sort: 'profit',
    align: 'end',
    width: [5.6, 0.8],
    printed: 1.1,
    cell: (account) => <AmountCell account={account} value={openProfitOf(account)} signed bare />,
  },
  {
    title: 'Equity, 3 days',
    className: 'c-spark',
    width: [5.5, 1],
    area: 'spark',
    cell: (account) => (
      <Sparkline points={recentOf(account)} label={`Equity of ${account.name}, three days`} />
    ),
  },
  {
    title: 'Nearest limit',
    sort: 'usedLimit',
    width: [9, 1.5],
    printed: 1.7,
    area: 'limit',
    cell: (account) => <LimitCell account={account} />,
  },
  {
    title: 'Last snapshot',
    sort: 'lastUpdate',
    align: 'end',
    className: 'c-updated',
    width: [7, 0.7],
    printed: 0.9,
    area: 'updated',
    cell: (account) => <AgeCell account={account} />,
  },
];

/** The equity of three days up to now: an old feed ends before the right end. */
function recentOf({ recentEquity, recentHoursAgo, ageSeconds = 0 }: Row): SparkPoint[] {
  return recentEquity.map((value, index) => ({
    value,
    hoursAgo: (recentHoursAgo[index] ?? 0) + ageSeconds / 3600,
  }));
}

export function AccountsTable(props: {
  overview: ReturnType<typeof useOverview>;
  asked: Asked;
  total: number;
  see: (sight: Sight) => void;
}) {
  const { overview, asked } = props;
  return (
    <VirtualTable
      label="Accounts"
      className="accounts-table"
      columns={COLUMNS}
      areas='"name state" "limit limit" "equity spark" "balance updated"'
      question={JSON.stringify(asked)}
      total={props.total}
      rowAt={overview.rowAt}
      rowKey={({ id }) => id}
      placeOf={overview.placeOf}
      rowClass={rowClassOf}
      sort={asked.sort}
      order={asked.order}
      sortBy={(sort, order) => replaceQuery({ sort, order })}
      see={props.see}
      rowHeight={62}
      narrowRowHeight={166}
    />
  );
}
