import { useState } from 'react';
import type { LimitRoomRecord } from '../../../../src/contract/operations/account-standing.ts';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  PeriodStatisticsRecord,
  TrackerRecord,
} from '../../../../src/contract/operations/trackers.ts';
import { Badge } from '../../components/badge.tsx';
import { Bar } from '../../components/bar.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { LoadLine } from '../../components/load-line.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money } from '../../components/money.tsx';
import { Table } from '../../components/table.tsx';
import { formatFraction } from '../../lib/format.ts';
import { useStanding, useStatistics } from './use-account.ts';

const HISTORY = 31;

type Props = { account: AccountRecord; tracker: TrackerRecord };

/** Where the tracker stands now, the newest period, and the ones before it on demand. */
export function TrackerPeriods({ account, tracker }: Props) {
  const newest = useStatistics(account.id, tracker._id, 1);
  const standing = useStanding(account.id);
  const [isOpen, setOpen] = useState(false);
  const [period] = newest.data ?? [];
  const limit = standing.data?.limits.find(({ trackerId }) => trackerId === tracker._id);
  if (newest.error) return <ErrorNote error={newest.error} retry={newest.refetch} />;
  if (newest.isPending) return <Loading label="Loading statistics" lines={2} />;
  if (!period) {
    return <p className="muted">Nothing is measured yet: it waits for the first snapshot.</p>;
  }
  return (
    <div className="stack">
      {limit ? <Now limit={limit} account={account} isFrozen={period.thresholdExceeded} /> : null}
      <Period period={period} tracker={tracker} currency={account.currency} />
      <div>
        <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide earlier periods' : 'Earlier periods'}
        </Button>
      </div>
      {isOpen ? <History account={account} tracker={tracker} /> : null}
    </div>
  );
}

/** The present: what is left of the limit, which the maxima of the period do not tell. */
function Now(props: { limit: LimitRoomRecord; account: AccountRecord; isFrozen: boolean }) {
  const { limit, account } = props;
  const { floor, toFloor, used, target, toTarget } = limit;
  const { currency } = account;
  return (
    <div className="tracker-now">
      {floor !== undefined && toFloor !== undefined && used !== undefined ? (
        <div>
          <p className="row">
            <strong>Now</strong>
            <span>
              <Money value={Math.abs(toFloor)} currency={currency} />{' '}
              {toFloor < 0 ? 'beyond' : 'above'} the floor of{' '}
              <Money value={floor} currency={currency} />
            </span>
          </p>
          <LoadLine used={used} exceeded={limit.exceeded === 'drawdown'} label={limit.name} />
        </div>
      ) : null}
      {target !== undefined && toTarget !== undefined ? (
        <p className="row">
          <strong>Now</strong>
          <span>
            <Money value={Math.abs(toTarget)} currency={currency} />{' '}
            {toTarget < 0 ? 'above' : 'below'} the target of{' '}
            <Money value={target} currency={currency} />
          </span>
        </p>
      ) : null}
      {props.isFrozen ? (
        <p className="hint">
          The figures of the period below stopped when it was exceeded; the equity has moved on
          since.
        </p>
      ) : null}
    </div>
  );
}

/** The part of a limit that was used at most; a rule may have an absolute one, a relative or both. */
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

const drawdownUse = (tracker: TrackerRecord, period: PeriodStatisticsRecord) =>
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

function Period(props: {
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
      <p className="row period-head">
        <Badge tone={period.periodStatus === 'running' ? 'good' : 'plain'}>
          {period.periodStatus === 'running' ? 'Running' : 'Completed'}
        </Badge>
        <span>
          <BrokerTime value={period.startBrokerTime} bare />
          {period.endBrokerTime ? (
            <>
              {' to '}
              <BrokerTime value={period.endBrokerTime} />
            </>
          ) : (
            ' on, broker time'
          )}
        </span>
        {period.initialBalance === undefined ? null : (
          <span>
            began with <Money value={period.initialBalance} currency={currency} />
          </span>
        )}
        <Exceeded period={period} />
      </p>
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

function Exceeded({ period }: { period: PeriodStatisticsRecord }) {
  if (!period.thresholdExceeded) return null;
  return period.exceededThresholdType === 'profit' ? (
    <Badge tone="good">Profit target reached</Badge>
  ) : (
    <Badge tone="bad">Drawdown exceeded</Badge>
  );
}

function History({ account, tracker }: Props) {
  const history = useStatistics(account.id, tracker._id, HISTORY);
  if (history.error) return <ErrorNote error={history.error} retry={history.refetch} />;
  if (!history.data) return <Loading label="Loading periods" lines={4} />;
  const { currency } = account;
  return (
    <Table
      caption={`Periods of ${tracker.name}`}
      rows={history.data}
      rowKey={(period) => period.startBrokerTime}
      columns={[
        {
          title: 'Began (broker time)',
          cell: (period) => <BrokerTime value={period.startBrokerTime} bare />,
        },
        {
          title: 'Result',
          cell: (period) =>
            period.thresholdExceeded ? <Exceeded period={period} /> : <span>Within limits</span>,
        },
        {
          title: 'Largest drawdown',
          align: 'end',
          cell: (period) => (
            <span className="number nowrap">
              <Money value={period.maxAbsoluteDrawdown} currency={currency} bare /> (
              {formatFraction(period.maxRelativeDrawdown)})
            </span>
          ),
        },
        {
          title: 'Largest profit',
          align: 'end',
          cell: (period) => (
            <span className="number nowrap">
              <Money value={period.maxAbsoluteProfit} currency={currency} bare /> (
              {formatFraction(period.maxRelativeProfit)})
            </span>
          ),
        },
        {
          title: 'Used of drawdown limit',
          wide: true,
          cell: (period) => {
            const used = drawdownUse(tracker, period);
            return used === undefined ? '–' : <Bar used={used} label="Used part of the limit" />;
          },
        },
        { title: 'Trade days', align: 'end', wide: true, cell: (period) => period.tradeDayCount },
      ]}
    />
  );
}
