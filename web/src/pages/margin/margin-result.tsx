import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { formatNumber } from '../../lib/format.ts';
import { nameOfOrderType } from './order-words.ts';
import type { Calculation } from './use-margin.ts';

const PRICE_DIGITS = 10;
const VOLUME_DIGITS = 8;

/** The order and its margin; `margin` is absent if it can't be calculated now. */
export function MarginResult(props: { calculation: Calculation; margin: number | undefined }) {
  const { account, order } = props.calculation;
  return (
    <Card title="Margin">
      <div className="margin-result" role="status">
        {props.margin === undefined ? (
          <p className="note note-warn">
            The margin can't be calculated now: a quote is missing, of {order.symbol} or of a pair
            that converts its margin into {account.currency}. Try again when the market has moved.
          </p>
        ) : (
          <p className="margin-figure">
            <Money value={props.margin} currency={account.currency} />
          </p>
        )}
        <Facts
          of={[
            ['Order', `${nameOfOrderType(order.type)}, ${order.symbol}`],
            ['Volume', `${formatNumber(order.volume, VOLUME_DIGITS)} lots`],
            ['Price', formatNumber(order.openPrice, PRICE_DIGITS)],
            ['Account', account.name],
          ]}
        />
        <p className="hint">
          For this order alone, as if the account held nothing else: open positions that hedge it
          are not counted.
        </p>
      </div>
    </Card>
  );
}
