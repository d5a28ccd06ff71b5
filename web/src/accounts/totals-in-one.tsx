import type { CurrencyTotalsRecord } from '../../../src/contract/operations/accounts-overview.ts';
import { ChoiceField } from '../components/choice-field.tsx';
import { Money } from '../components/money.tsx';
import { NumberField } from '../components/number-field.tsx';
import { formatNumber } from '../lib/format.ts';
import { inBase, RATE } from './convert-totals.ts';
import { saveRates, useRates } from './use-rates.ts';

/** All totals in one currency, at rates given by the reader. */
export function TotalsInOne({ totals }: { totals: CurrencyTotalsRecord[] }) {
  const saved = useRates();
  const { base, sum, missing } = inBase(totals, saved);
  const texts = saved.rates;
  const key = (currency: string): string => `${currency}/${base}`;
  const known = totals.map(({ currency }) => currency);
  return (
    <>
      <div className="fields">
        <ChoiceField
          label="All in one currency"
          hint="At the rates that you enter"
          options={known.map((currency) => ({ value: currency, title: currency }))}
          value={base}
          choose={(currency) => saveRates({ ...saved, base: currency })}
        />
        {known
          .filter((currency) => currency !== base)
          .map((currency) => (
            <NumberField
              key={key(currency)}
              label={`1 ${currency} in ${base}`}
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
            Enter a rate for {missing.join(', ')} to see everything in {base}.
          </span>
        )}
      </p>
    </>
  );
}
