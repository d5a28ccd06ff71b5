import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { TrackerRecord } from '../../../../src/contract/operations/trackers.ts';
import { Bar } from '../../components/bar.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money } from '../../components/money.tsx';
import { Shown } from '../../components/shown.tsx';
import { Table } from '../../components/table.tsx';
import { formatFraction } from '../../lib/format.ts';
import { drawdownUse, Exceeded, Period } from './period.tsx';
import { TrackerNow } from './tracker-now.tsx';
import { useStanding, useStatistics } from './use-account.ts';

const HISTORY = 31;

type Props = { account: AccountRecord; tracker: TrackerRecord };

/** The tracker's present state, the newest period, and earlier ones on demand. */
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
      {limit ? (
        <TrackerNow limit={limit} currency={account.currency} isFrozen={period.thresholdExceeded} />
      ) : null}
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

function History({ account, tracker }: Props) {
  const history = useStatistics(account.id, tracker._id, HISTORY);
  const { currency } = account;
  return (
    <Shown read={history} what="periods" lines={4}>
      {(periods) => (
        <Table
          caption={`Periods of ${tracker.name}`}
          rows={periods}
          rowKey={(period) => period.startBrokerTime}
          columns={[
            {
              title: 'Began (broker time)',
              cell: (period) => <BrokerTime value={period.startBrokerTime} bare />,
            },
            {
              title: 'Result',
              cell: (period) =>
                period.thresholdExceeded ? (
                  <Exceeded period={period} />
                ) : (
                  <span>Within limits</span>
                ),
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
              title: 'Drawdown limit used',
              wide: true,
              cell: (period) => {
                const used = drawdownUse(tracker, period);
                return used === undefined ? (
                  '–'
                ) : (
                  <Bar used={used} label="Used part of the limit" />
                );
              },
            },
            {
              title: 'Trade days',
              align: 'end',
              wide: true,
              cell: (period) => period.tradeDayCount,
            },
          ]}
        />
      )}
    </Shown>
  );
}
