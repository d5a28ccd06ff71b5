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
import { Sparkline } from '../../components/sparkline.tsx';
import { type Sight, type VirtualColumn, VirtualTable } from '../../components/virtual-table.tsx';
import { replaceQuery } from '../../lib/route.ts';

const COLUMNS: VirtualColumn<Row>[] = [
  {
    title: 'Account',
    sort: 'name',
    className: 'c-name',
    cell: (account) => <NameCell account={account} />,
  },
  {
    title: 'State',
    className: 'c-state',
    cell: ({ state, ageSeconds, answeredAtMs }) => (
      <AccountState state={state} ageSeconds={ageSeconds} answeredAtMs={answeredAtMs} />
    ),
  },
  {
    title: 'Balance',
    sort: 'balance',
    align: 'end',
    className: 'c-balance',
    cell: (account) => <AmountCell account={account} value={account.balance} />,
  },
  {
    title: 'Equity',
    sort: 'equity',
    align: 'end',
    className: 'c-equity',
    cell: (account) => <AmountCell account={account} value={account.equity} />,
  },
  {
    title: 'Open profit',
    sort: 'profit',
    align: 'end',
    className: 'c-profit',
    cell: (account) => <AmountCell account={account} value={openProfitOf(account)} signed bare />,
  },
  {
    title: 'Equity, 3 days',
    className: 'c-spark',
    cell: (account) => (
      <Sparkline values={account.recentEquity} label={`Equity of ${account.name}, three days`} />
    ),
  },
  {
    title: 'Nearest limit',
    sort: 'usedLimit',
    className: 'c-limit',
    cell: (account) => <LimitCell account={account} />,
  },
  {
    title: 'Last snapshot',
    sort: 'lastUpdate',
    align: 'end',
    className: 'c-updated',
    cell: (account) => <AgeCell account={account} />,
  },
];

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
