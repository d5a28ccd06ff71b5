import { formatAmount } from '../lib/format.ts';

/** An amount in the account's currency; `signed` colours it and always shows its sign. */
export function Money(props: {
  value: number;
  currency: string;
  signed?: boolean;
  /** The currency is shown elsewhere, such as in the column's head. */
  bare?: boolean;
}) {
  const tone = props.signed ? (props.value < 0 ? 'bad' : props.value > 0 ? 'good' : '') : '';
  return (
    <span className={`number ${tone}`}>
      {formatAmount(props.value, props.currency, props.signed)}
      {props.bare ? null : <span className="unit"> {props.currency}</span>}
    </span>
  );
}
