import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  CurrencyTotalsRecord,
  readAccountTotalsOperation,
} from '../../../src/contract/operations/accounts-overview.ts';
import { ErrorNote } from '../components/error-note.tsx';
import { Loading } from '../components/loading.tsx';
import { Money } from '../components/money.tsx';
import { countOf } from '../lib/format.ts';
import { useRead } from '../lib/use-operation.ts';
import { inBase } from './convert-totals.ts';
import type { Which } from './read-fitting.ts';
import { gapsOf, TotalsByCurrency } from './totals-by-currency.tsx';
import { TotalsInOne } from './totals-in-one.tsx';
import { useRates } from './use-rates.ts';

const REFRESH_MS = 5_000;

/**
 * Sums of the matching accounts, by currency, and in one currency by rates that the reader gives.
 */
export function Totals({ which }: { which: Which }) {
  const [isOpen, setOpen] = useState(false);
  const totals = useTotals(which, isOpen || which.label !== '');
  return (
    <details className="card totals" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {which.label ? (
          <TotalsLine label={which.label} totals={totals} />
        ) : (
          'Totals of these accounts'
        )}
      </summary>
      {isOpen ? <Sums {...totals} /> : null}
    </details>
  );
}

const useTotals = ({ search, label, filter }: Which, isEnabled: boolean) =>
  useRead<typeof readAccountTotalsOperation>(
    ['accounts', 'totals', { search, label, filter }],
    'GET /users/current/account-totals',
    { query: { search, label, filter } },
    { enabled: isEnabled, refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
  );

/** A group in one line: in its base currency if rates are known, and what is old or left out. */
function TotalsLine({ label, totals }: { label: string; totals: ReturnType<typeof useTotals> }) {
  const { data, isPlaceholderData } = totals;
  const { base, sum, missing } = inBase(data?.currencies ?? [], useRates());
  if (!data || isPlaceholderData) return <>Totals of {label}</>;
  const gaps = gapsOf(data.currencies);
  return (
    <span className="totals-line">
      <span>
        {label}: <span className="number">{countOf(data.total, 'account')}</span>
      </span>
      {missing.length > 0 ? <span>equity {sumsOf(data.currencies)}</span> : null}
      {sum && data.total > 0 ? (
        <>
          <span>
            equity <Money value={sum.equity} currency={base} />
          </span>
          <span>
            open profit <Money value={sum.openProfit} currency={base} signed />
          </span>
        </>
      ) : null}
      {missing.length > 0 ? (
        <span className="hint">
          give {missing.length === 1 ? 'a rate' : 'rates'} for {missing.join(', ')} to see all in{' '}
          {base}
        </span>
      ) : null}
      {gaps.leftOut ? <span className="hint">left out: {gaps.leftOut}</span> : null}
      {gaps.old ? <span className="hint">counted: {gaps.old}</span> : null}
    </span>
  );
}

const CURRENCIES_IN_LINE = 4;

/** Of each currency separately, those of most accounts first. */
function sumsOf(totals: readonly CurrencyTotalsRecord[]) {
  const known = totals
    .filter(({ equities }) => equities > 0)
    .toSorted((a, b) => b.accounts - a.accounts);
  const more = known.length - CURRENCIES_IN_LINE;
  return (
    <>
      {known.slice(0, CURRENCIES_IN_LINE).map(({ currency, equity }, index) => (
        <span key={currency}>
          {index > 0 ? ' + ' : ''}
          <Money value={equity} currency={currency} />
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ''}
    </>
  );
}

function Sums({ data, error, refetch }: ReturnType<typeof useTotals>) {
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  if (!data) return <Loading label="Loading totals" lines={3} />;
  if (data.total === 0) return <p className="muted">No accounts match.</p>;
  return (
    <div className="stack totals-body">
      <TotalsByCurrency totals={data.currencies} />
      {data.currencies.length > 1 ? <TotalsInOne totals={data.currencies} /> : null}
    </div>
  );
}
