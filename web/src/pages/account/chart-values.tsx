import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { ChartPoint } from '../../charts/chart-points.ts';
import { Money } from '../../components/money.tsx';
import { formatFraction } from '../../lib/format.ts';

/** What the cross-hair points at, else the newest values. */
export function ChartValues(props: {
  account: AccountRecord;
  point: ChartPoint | undefined;
  isLatest: boolean;
}) {
  const { point, account } = props;
  if (!point) return null;
  const { currency } = account;
  return (
    <div className="chart-values">
      {point.equity === undefined ? null : (
        <span className="chart-value">
          <i className="key key-equity" />
          Equity <Money value={point.equity} currency={currency} />
        </span>
      )}
      <span className="chart-value">
        <i className="key key-balance" />
        Balance <Money value={point.balance} currency={currency} />
      </span>
      {point.low === undefined || point.high === undefined ? null : (
        <span className="chart-value wide-only">
          <i className="key key-band" />
          <Money value={point.low} currency={currency} bare /> to{' '}
          <Money value={point.high} currency={currency} bare />
        </span>
      )}
      {point.below === undefined ? null : (
        <span className="chart-value">
          <i className="key key-below" />
          Below the high <span className="number">{formatFraction(point.below)}</span>
        </span>
      )}
      <span className="chart-value chart-time number">
        {point.when}
        <span className="unit"> broker time{props.isLatest ? ', newest' : ''}</span>
      </span>
    </div>
  );
}
