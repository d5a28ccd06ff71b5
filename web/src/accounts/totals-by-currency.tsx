import type { CurrencyTotalsRecord } from '../../../src/contract/operations/accounts-overview.ts';
import { Money } from '../components/money.tsx';
import { Table } from '../components/table.tsx';
import { formatNumber } from '../lib/format.ts';

/** Sums of the accounts of each currency, and what they leave out. */
export function TotalsByCurrency({ totals }: { totals: CurrencyTotalsRecord[] }) {
  return (
    <Table
      caption="Totals by currency"
      rows={totals}
      rowKey={({ currency }) => currency}
      columns={[
        { title: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
        {
          title: 'Accounts',
          align: 'end',
          cell: ({ accounts }) => <span className="number">{formatNumber(accounts, 0)}</span>,
        },
        {
          title: 'Balance',
          align: 'end',
          cell: (total) => <Sum total={total} field="balance" of={total.balances} />,
        },
        {
          title: 'Equity',
          align: 'end',
          cell: (total) => <Sum total={total} field="equity" of={total.equities} />,
        },
        {
          title: 'Open profit',
          align: 'end',
          cell: (total) => <Sum total={total} field="openProfit" of={total.equities} />,
        },
        {
          title: 'What is not included',
          cell: (total) => <span className="hint nowrap">{gapsOf([total]) || 'nothing'}</span>,
        },
      ]}
    />
  );
}

/** A sum of this many figures; a dash for none. */
function Sum(props: {
  total: CurrencyTotalsRecord;
  field: 'balance' | 'equity' | 'openProfit';
  of: number;
}) {
  const { total, field } = props;
  if (props.of === 0) return <span className="muted">–</span>;
  return <Money value={total[field]} currency={total.currency} signed={field === 'openProfit'} />;
}

/** A sum shows what it leaves out, and how much of it is old. */
export function gapsOf(totals: readonly CurrencyTotalsRecord[]): string {
  const add = (field: 'accounts' | 'balances' | 'equities' | 'stale'): number =>
    totals.reduce((sum, total) => sum + total[field], 0);
  const [accounts, stale] = [add('accounts'), add('stale')];
  const without = [
    [accounts - add('balances'), 'without balance'],
    [accounts - add('equities'), 'without equity'],
    [stale, 'with an old equity'],
  ] as const;
  return without
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${formatNumber(count, 0)} ${words}`)
    .join(', ');
}
