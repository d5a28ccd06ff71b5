import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  CurrencyTotalsRecord,
  readAccountTotalsOperation,
} from '../../../../src/contract/operations/accounts-overview.ts';
import type { Which } from '../../accounts/read-fitting.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money } from '../../components/money.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Table } from '../../components/table.tsx';
import { call } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { type NumberRules, numberOf, readNumber } from '../../lib/read-number.ts';
import { convertTotals, usualBase } from './convert-totals.ts';
import { saveRates, useRates } from './use-rates.ts';

const REFRESH_MS = 5_000;
const RATE: NumberRules = { min: 0.000_000_01, max: 1_000_000_000, digits: 8 };

/** Sums of the accounts that fit, by currency, and in one currency by rates that the reader gives. */
export function Totals({ which }: { which: Which }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card totals" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Totals of these accounts</summary>
      {isOpen ? <Sums which={which} /> : null}
    </details>
  );
}

function Sums({ which: { search, label, filter } }: { which: Which }) {
  const which = { search, label, filter };
  const { data, error, refetch } = useQuery({
    queryKey: ['accounts', 'totals', which],
    queryFn: ({ signal }) =>
      call<typeof readAccountTotalsOperation>(
        'GET /users/current/account-totals',
        { query: which },
        signal,
      ),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  if (!data) return <Loading label="Loading totals" lines={3} />;
  if (data.total === 0) return <p className="muted">No account fits.</p>;
  return (
    <div className="stack totals-body">
      <ByCurrency totals={data.currencies} />
      {data.currencies.length > 1 ? <InOne totals={data.currencies} /> : null}
    </div>
  );
}

function ByCurrency({ totals }: { totals: CurrencyTotalsRecord[] }) {
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
        { title: 'What is not in it', cell: (total) => <Gaps total={total} /> },
      ]}
    />
  );
}

/** A sum of so many figures; a dash for a sum of none. */
function Sum(props: {
  total: CurrencyTotalsRecord;
  field: 'balance' | 'equity' | 'openProfit';
  of: number;
}) {
  const { total, field } = props;
  if (props.of === 0) return <span className="muted">–</span>;
  return <Money value={total[field]} currency={total.currency} signed={field === 'openProfit'} />;
}

/** A sum says what it leaves out, and how much of it is old. */
function Gaps({ total }: { total: CurrencyTotalsRecord }) {
  const { accounts, balances, equities, stale } = total;
  const words = [
    ...(balances < accounts ? [`${formatNumber(accounts - balances, 0)} without balance`] : []),
    ...(equities < accounts ? [`${formatNumber(accounts - equities, 0)} without equity`] : []),
    ...(stale > 0 ? [`${formatNumber(stale, 0)} with an old equity`] : []),
  ];
  return <span className="hint">{words.length > 0 ? words.join(', ') : 'nothing'}</span>;
}

function InOne({ totals }: { totals: CurrencyTotalsRecord[] }) {
  const saved = useRates();
  const known = totals.map(({ currency }) => currency);
  const base = known.includes(saved.base) ? saved.base : usualBase(totals);
  const key = (currency: string): string => `${currency}/${base}`;
  const texts = saved.rates;
  const rates = new Map(
    known.flatMap((currency) => {
      const rate = numberOf(readNumber(texts[key(currency)] ?? '', RATE));
      return rate === undefined ? [] : [[currency, rate] as const];
    }),
  );
  const { sum, missing } = convertTotals(totals, base, rates);
  return (
    <>
      <div className="fields">
        <Field label="All in one currency" hint="At your rates: Plimsoll knows none">
          {(control) => (
            <select
              {...control}
              value={base}
              onChange={({ target }) => saveRates({ ...saved, base: target.value })}
            >
              {known.map((currency) => (
                <option key={currency} value={currency}>
                  {currency}
                </option>
              ))}
            </select>
          )}
        </Field>
        {known
          .filter((currency) => currency !== base)
          .map((currency) => (
            <NumberField
              key={key(currency)}
              label={`1 ${currency} is so many ${base}`}
              text={texts[key(currency)] ?? ''}
              change={(text) => saveRates({ base, rates: { ...texts, [key(currency)]: text } })}
              rules={RATE}
              words={(value) => `1 ${currency} = ${formatNumber(value, 8)} ${base}`}
            />
          ))}
      </div>
      <p aria-live="polite">
        {sum ? (
          <>
            <strong>In {base}, at your rates:</strong> balance{' '}
            <Money value={sum.balance} currency={base} />, equity{' '}
            <Money value={sum.equity} currency={base} />, open profit{' '}
            <Money value={sum.openProfit} currency={base} signed />.
          </>
        ) : (
          <span className="muted">
            Give a rate for {missing.join(', ')} to see all of it in {base}.
          </span>
        )}
      </p>
    </>
  );
}
