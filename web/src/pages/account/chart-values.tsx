import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { ChartPoint } from '../../charts/chart-points.ts';
import type { StepLine } from '../../charts/marks.ts';
import { Money } from '../../components/money.tsx';
import { formatFraction } from '../../lib/format.ts';

/** The values under the cross-hair, or else the newest ones. */
export function ChartValues(props: {
  account: AccountRecord;
  point: ChartPoint | undefined;
  isLatest: boolean;
  lines: readonly StepLine[];
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
          Below the high (deepest of the {point.equity === undefined ? 'day' : 'hour'}){' '}
          <span className="number">{formatFraction(point.below)}</span>
        </span>
      )}
      {limitsAt(props.lines, point).map(({ id, title, kind, value }) => (
        <span key={id} className="chart-value">
          <i className={`key key-${kind}`} />
          {kind === 'floor' ? 'Floor' : 'Target'} of {title}{' '}
          <Money value={value} currency={currency} bare />
        </span>
      ))}
      <span className="chart-value chart-time number">
        {point.when}
        <span className="unit"> broker time{props.isLatest ? ', newest' : ''}</span>
      </span>
    </div>
  );
}

const MOST_LIMITS = 3;

/** The limits that were in force at a moment, the nearest ones. */
function limitsAt(lines: readonly StepLine[], { timeSeconds, equity, balance }: ChartPoint) {
  const worth = equity ?? balance;
  return lines
    .flatMap(({ id, title, kind, steps }) => {
      const step = steps.findLast(
        ({ from, to }) => from <= timeSeconds && to >= timeSeconds - 3600,
      );
      return step ? [{ id, title, kind, value: step.value }] : [];
    })
    .sort((a, b) => Math.abs(a.value - worth) - Math.abs(b.value - worth))
    .slice(0, MOST_LIMITS);
}
