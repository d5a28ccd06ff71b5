import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { Card } from '../../components/card.tsx';
import { Money } from '../../components/money.tsx';
import { Table } from '../../components/table.tsx';
import { formatNumber, formatPercent } from '../../lib/format.ts';

const SHOWN = 30;

export function GroupTable({ metrics }: { metrics: AccountMetricsRecord }) {
  const groups = [...metrics.bySymbol].sort((a, b) => b.profit - a.profit);
  const widest = Math.max(...groups.map(({ profit }) => Math.abs(profit)), 1);
  return (
    <Card title="Profit by symbol" flush>
      <Table
        caption="Profit by symbol"
        rows={groups.slice(0, SHOWN)}
        rowKey={(group) => group.symbol}
        columns={[
          { title: 'Symbol', cell: (group) => <strong>{group.symbol}</strong> },
          {
            title: `Profit (${metrics.currency})`,
            align: 'end',
            cell: (group) => <Money value={group.profit} currency={metrics.currency} signed bare />,
          },
          {
            title: 'Share',
            wide: true,
            cell: (group) => (
              <span className="diverging" aria-hidden="true">
                <span
                  className={group.profit < 0 ? 'diverging-loss' : 'diverging-win'}
                  style={{ width: `${(Math.abs(group.profit) / widest) * 50}%` }}
                />
              </span>
            ),
          },
          { title: 'Trades', align: 'end', cell: (group) => formatNumber(group.trades, 0) },
          { title: 'Won', align: 'end', cell: (group) => formatPercent(group.wonTradesPercent, 0) },
          { title: 'Lots', align: 'end', wide: true, cell: (group) => formatNumber(group.lots) },
          {
            title: 'Pips',
            align: 'end',
            wide: true,
            cell: (group) => (group.pips === undefined ? '–' : formatNumber(group.pips, 1, true)),
          },
        ]}
      />
    </Card>
  );
}
