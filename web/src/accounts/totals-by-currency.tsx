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
          title: 'Left out',
          cell: (total) => <span className="hint nowrap">{gapsOf([total]).leftOut || 'none'}</span>,
        },
        {
          title: 'Counted, but old',
          align: 'end',
          cell: (total) => <span className="hint nowrap">{gapsOf([total]).old || 'none'}</span>,
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

/** What sums leave out, and what is old but counted. */
export function gapsOf(totals: readonly CurrencyTotalsRecord[]): { leftOut: string; old: string } {
  const add = (field: 'accounts' | 'balances' | 'equities' | 'stale'): number =>
    totals.reduce((sum, total) => sum + total[field], 0);
  const accounts = add('accounts');
  const missing = [
    [accounts - add('balances'), 'without balance'],
    [accounts - add('equities'), 'without equity'],
  ] as const;
  const words = ([count, what]: readonly [number, string]): string =>
    count > 0 ? `${formatNumber(count, 0)} ${what}` : '';
  return {
    leftOut: missing.map(words).filter(Boolean).join(', '),
    old: words([add('stale'), 'with an old equity']),
  };
}
