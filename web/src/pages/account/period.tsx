import type {
  PeriodStatisticsRecord,
  TrackerRecord,
} from '../../../../src/contract/operations/trackers.ts';
import { Badge } from '../../components/badge.tsx';
import { Bar } from '../../components/bar.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Money } from '../../components/money.tsx';
import { formatFraction } from '../../lib/format.ts';

/** The most used part of a limit; a rule may have an absolute one, a relative one or both. */
function usedOf(
  absolute: number,
  relative: number,
  absoluteLimit: number | undefined,
  relativeLimit: number | undefined,
): number | undefined {
  const parts = [
    ...(absoluteLimit ? [absolute / absoluteLimit] : []),
    ...(relativeLimit ? [relative / relativeLimit] : []),
  ];
  return parts.length > 0 ? Math.max(...parts) : undefined;
}

export const drawdownUse = (tracker: TrackerRecord, period: PeriodStatisticsRecord) =>
  usedOf(
    period.maxAbsoluteDrawdown,
    period.maxRelativeDrawdown,
    tracker.absoluteDrawdownThreshold,
    tracker.relativeDrawdownThreshold,
  );

const profitUse = (tracker: TrackerRecord, period: PeriodStatisticsRecord) =>
  usedOf(
    period.maxAbsoluteProfit,
    period.maxRelativeProfit,
    tracker.absoluteProfitThreshold,
    tracker.relativeProfitThreshold,
  );

/** A tracker's measurements in a period. */
export function Period(props: {
  period: PeriodStatisticsRecord;
  tracker: TrackerRecord;
  currency: string;
}) {
  const { period, tracker, currency } = props;
  const rows = [
    {
      title: period.thresholdExceeded ? 'Largest drawdown until then' : 'Largest drawdown',
      money: period.maxAbsoluteDrawdown,
      part: period.maxRelativeDrawdown,
      used: drawdownUse(tracker, period),
      kind: 'limit' as const,
      time: period.maxDrawdownTime,
    },
    {
      title: period.thresholdExceeded ? 'Largest profit until then' : 'Largest profit',
      money: period.maxAbsoluteProfit,
      part: period.maxRelativeProfit,
      used: profitUse(tracker, period),
      kind: 'target' as const,
      time: period.maxProfitTime,
    },
  ];
  return (
    <div>
      <PeriodHead period={period} currency={currency} />
      <div className="period-bars">
        {rows.map((row) => (
          <div key={row.title}>
            <p className="row">
              <strong>{row.title}</strong>
              <span className="number">
                <Money value={row.money} currency={currency} /> ({formatFraction(row.part)})
              </span>
              {row.time ? (
                <span className="hint">
                  at <BrokerTime value={row.time} />
                </span>
              ) : null}
            </p>
            {row.used === undefined ? (
              <p className="hint">No threshold</p>
            ) : (
              <Bar
                used={row.used}
                kind={row.kind}
                label={`${row.title}: used part of the threshold`}
              />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function PeriodHead(props: { period: PeriodStatisticsRecord; currency: string }) {
  const { period, currency } = props;
  return (
    <p className="row period-head">
      <Badge tone={period.periodStatus === 'running' ? 'good' : 'plain'}>
        {period.periodStatus === 'running' ? 'Running' : 'Completed'}
      </Badge>
      <span>
        {period.endBrokerTime ? (
          <>
            <BrokerTime value={period.startBrokerTime} bare /> to{' '}
            <BrokerTime value={period.endBrokerTime} />
          </>
        ) : (
          <>
            since <BrokerTime value={period.startBrokerTime} />
          </>
        )}
      </span>
      {period.initialBalance === undefined ? null : (
        <span>
          began with <Money value={period.initialBalance} currency={currency} />
        </span>
      )}
      <Exceeded period={period} />
    </p>
  );
}

export function Exceeded({ period }: { period: PeriodStatisticsRecord }) {
  if (!period.thresholdExceeded) return null;
  return period.exceededThresholdType === 'profit' ? (
    <Badge tone="good">Profit target reached</Badge>
  ) : (
    <Badge tone="bad">Drawdown exceeded</Badge>
  );
}
