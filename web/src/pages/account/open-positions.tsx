import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { readOpenTradesOperation } from '../../../../src/contract/operations/metrics.ts';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Card } from '../../components/card.tsx';
import { Money } from '../../components/money.tsx';
import { type Column, Table } from '../../components/table.tsx';
import type { Answer } from '../../lib/api.ts';
import { formatDuration, formatNumber } from '../../lib/format.ts';
import { useRead } from '../../lib/use-operation.ts';

type Position = Extract<Answer<typeof readOpenTradesOperation>, unknown[]>[number];

const REFRESH_MS = 10_000;

/** Positions that the deals have opened and not closed; hidden if there are none. */
export function OpenPositions({ account }: { account: AccountRecord }) {
  const { currency } = account;
  const { data } = useRead<typeof readOpenTradesOperation>(
    ['account', account.id, 'open-trades'],
    'GET /users/current/accounts/:accountId/open-trades',
    { params: { accountId: account.id } },
    { refetchInterval: REFRESH_MS },
  );
  const positions = Array.isArray(data) ? data : [];
  if (positions.length === 0) return null;
  return (
    <Card
      flush
      title="Open positions"
      hint="As far as the deals show; their current value is in the equity"
    >
      <Table
        caption="Open positions"
        rows={positions}
        rowKey={({ _id }) => _id}
        columns={columnsOf(currency)}
      />
    </Card>
  );
}

const columnsOf = (currency: string): Column<Position>[] => [
  {
    title: 'Position',
    cell: ({ symbol, type }) => (
      <span className="trade-what">
        {symbol ? <strong>{symbol}</strong> : null}
        <span className="hint">{type === 'DEAL_TYPE_SELL' ? 'sell' : 'buy'}</span>
      </span>
    ),
  },
  {
    title: 'Ticket',
    wide: true,
    cell: ({ positionId }) => <span className="number">{positionId}</span>,
  },
  {
    title: 'Opened (broker time)',
    cell: ({ openTime }) => <BrokerTime value={openTime} bare />,
  },
  {
    title: 'Held',
    align: 'end',
    wide: true,
    cell: ({ durationInMinutes }) => formatDuration(durationInMinutes),
  },
  { title: 'Lots', align: 'end', cell: ({ volume }) => formatNumber(volume, 8) },
  {
    title: 'Open price',
    align: 'end',
    wide: true,
    cell: ({ openPrice }) => (openPrice === undefined ? '–' : formatNumber(openPrice, 6)),
  },
  {
    title: `Swap (${currency})`,
    align: 'end',
    wide: true,
    cell: ({ swap }) => <Money value={swap} currency={currency} signed bare />,
  },
  {
    title: `Commission (${currency})`,
    align: 'end',
    wide: true,
    cell: ({ commission, fee }) => (
      <Money value={commission + fee} currency={currency} signed bare />
    ),
  },
  {
    title: `Realised (${currency})`,
    align: 'end',
    cell: ({ realisedProfit }) => <Money value={realisedProfit} currency={currency} signed bare />,
  },
];
