import { AgeCell, rowClassOf, Unwatched } from '../../accounts/account-cells.tsx';
import type { Row, useOverview } from '../../accounts/use-overview.ts';
import { Badge } from '../../components/badge.tsx';
import { LoadLine } from '../../components/load-line.tsx';
import { Middle } from '../../components/middle.tsx';
import { Money } from '../../components/money.tsx';
import { type Sight, type VirtualColumn, VirtualTable } from '../../components/virtual-table.tsx';
import { formatAmount, formatDuration } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { path } from '../../lib/path.ts';

const COLUMNS: VirtualColumn<Row>[] = [
  {
    title: 'Account',
    className: 'c-name',
    width: [8, 1.1],
    printed: 1.1,
    area: 'name',
    cell: (account) => <AccountCell account={account} />,
  },
  {
    title: 'Room left',
    width: [10.8, 1.3],
    printed: 1.3,
    area: 'room',
    cell: (account) => <RoomCell account={account} />,
  },
  {
    title: 'Equity, floor',
    align: 'end',
    width: [8, 0.9],
    printed: 0.9,
    area: 'floor',
    areaAlign: 'start',
    cell: (account) => <FloorCell account={account} />,
  },
  {
    title: 'At this rate',
    align: 'end',
    width: [6.2, 0.7],
    printed: 0.7,
    area: 'rate',
    areaAlign: 'end',
    cell: (account) => <RateCell account={account} />,
  },
  {
    title: 'Resets in',
    align: 'end',
    width: [5.6],
    printed: 0.6,
    cell: (account) => <ResetCell account={account} />,
  },
];

export function RoomTable(props: {
  overview: ReturnType<typeof useOverview>;
  question: string;
  total: number;
  see: (sight: Sight) => void;
}) {
  return (
    <VirtualTable
      label="Accounts by room left"
      className="room-table"
      columns={COLUMNS}
      areas='"name name" "room room" "floor rate"'
      question={props.question}
      total={props.total}
      rowAt={props.overview.rowAt}
      rowKey={({ id }) => id}
      placeOf={props.overview.placeOf}
      rowClass={rowClassOf}
      sort="savable"
      order="descending"
      sortBy={() => undefined}
      see={props.see}
      rowHeight={60}
      narrowRowHeight={154}
    />
  );
}

function AccountCell({ account }: { account: Row }) {
  return (
    <span className="two-lines">
      <a href={path.account(account.id)}>
        <Middle text={account.name} />
      </a>
      <span className="hint">
        {account.login} · <AgeCell account={account} />
      </span>
    </span>
  );
}

function RoomCell({ account }: { account: Row }) {
  const { worstTracker: limit, currency } = account;
  if (!limit) return <Unwatched account={account} />;
  return (
    <span className="two-lines">
      <span className="room-head">
        <strong>
          <Money value={limit.toFloor} currency={currency} />
        </strong>
        {limit.exceeded ? <Badge tone="bad">Exceeded</Badge> : null}
      </span>
      <LoadLine used={limit.used} exceeded={limit.exceeded} label={limit.name} name={limit.name} />
    </span>
  );
}

function FloorCell({ account }: { account: Row }) {
  const { worstTracker: limit, equity, currency } = account;
  return (
    <span className="two-lines">
      {equity === undefined ? <span>–</span> : <Money value={equity} currency={currency} />}
      {limit ? (
        <span className="hint">
          <Money value={limit.floor} currency={currency} bare /> floor
        </span>
      ) : null}
    </span>
  );
}

/** When the floor is reached if the loss continues as in the last hour or so. */
function RateCell({ account }: { account: Row }) {
  const { worstTracker: limit, lossPerHour, currency } = account;
  if (!limit || lossPerHour === undefined) return <span className="muted">–</span>;
  if (lossPerHour === 0) return <span className="muted">no loss</span>;
  const minutes = (limit.toFloor / lossPerHour) * 60;
  // A new period begins with a floor of its own.
  const isAfterReset = minutes * 60 >= (limit.secondsToReset ?? Number.POSITIVE_INFINITY);
  return (
    <span className="two-lines">
      <span className={`number ${minutes < SOON_MINUTES ? 'bad' : ''}`}>
        {minutes <= 0
          ? 'beyond'
          : isAfterReset
            ? 'resets first'
            : minutes > MOST_MINUTES
              ? 'days'
              : formatDuration(minutes)}
      </span>
      <span className="hint number">{formatAmount(-lossPerHour, currency)} / h</span>
    </span>
  );
}

const SOON_MINUTES = 60;
const MOST_MINUTES = 7 * 24 * 60;

function ResetCell({ account }: { account: Row }) {
  const { worstTracker: limit } = account;
  const nowMs = useNow();
  if (!limit) return <span className="muted">–</span>;
  if (limit.secondsToReset === undefined) return <span className="muted">never</span>;
  const seconds = limit.secondsToReset - Math.max(0, nowMs - account.answeredAtMs) / 1000;
  return <span className="number nowrap">{formatDuration(Math.max(0, seconds) / 60)}</span>;
}
