import type { ThresholdType } from '../../../../src/words/trackers.ts';
import { limitOf, type Measured } from '../../charts/evidence-limit.ts';
import { formatAmount, formatMoney } from '../../lib/format.ts';

/** The calculation for anyone to check: 10,000 − 500 = 9,500, and the equity was 9,480. */
export function Equation(props: {
  measured: Measured;
  threshold: ThresholdType;
  currency: string;
  /** Its number among several. */
  label?: string;
}) {
  const { measured, threshold, currency, label = 'How it was measured' } = props;
  const { baseline, allowed, adjustment, equity } = measured;
  const isLoss = threshold === 'drawdown';
  const limit = limitOf(measured, threshold);
  const isBelow = isLoss ? equity <= limit : equity < limit;
  const amount = (value: number) => formatAmount(value, currency);
  const terms: { sign: string; value: string; words: string }[] = [
    { sign: '', value: amount(baseline), words: 'measured from' },
    ...(adjustment === 0
      ? []
      : [
          {
            sign: adjustment < 0 ? '−' : '+',
            value: amount(Math.abs(adjustment)),
            words: adjustment < 0 ? 'paid out in the period' : 'paid in in the period',
          },
        ]),
    {
      sign: isLoss ? '−' : '+',
      value: amount(allowed),
      words: isLoss ? 'loss allowed' : 'profit target',
    },
    { sign: '=', value: amount(limit), words: isLoss ? 'floor' : 'target' },
  ];
  return (
    <figure className="equation" aria-label={label}>
      <div className="equation-terms number">
        {terms.map(({ sign, value, words }) => (
          <span key={words} className="equation-term">
            <span>
              {sign ? <span className="equation-sign">{sign} </span> : null}
              {value}
            </span>
            <span className="hint">{words}</span>
          </span>
        ))}
      </div>
      <figcaption>
        The equity was <strong className="number">{formatMoney(equity, currency)}</strong>:{' '}
        <strong className={`number ${isBelow ? 'bad' : 'good'}`}>
          {formatMoney(Math.abs(equity - limit), currency)}
        </strong>{' '}
        {isBelow ? 'below' : 'above'} the {isLoss ? 'floor' : 'target'}.
      </figcaption>
    </figure>
  );
}
