import { Fragment } from 'react';
import type { FoundTrade } from '../../../../src/contract/operations/trade-search.ts';
import { BrokerTime } from '../../components/broker-time.tsx';
import type { Fact } from '../../components/facts.tsx';
import { How } from '../../components/how.tsx';
import { Money } from '../../components/money.tsx';
import type { Column } from '../../components/table.tsx';
import { formatDuration, formatFixed, formatNumber, formatPercent } from '../../lib/format.ts';
import { expertName } from './expert-name.ts';

const typeWords = (type: string): string =>
  type.replace('DEAL_TYPE_', '').toLowerCase().replaceAll('_', ' ');

/** Prices with as many digits as either has, so that they align. */
function prices({ openPrice, closePrice }: FoundTrade): string {
  if (openPrice === undefined || closePrice === undefined) return '–';
  const digits = Math.max(digitsOf(openPrice), digitsOf(closePrice));
  return `${formatFixed(openPrice, digits)} → ${formatFixed(closePrice, digits)}`;
}

const MOST_DIGITS = 6;
const digitsOf = (price: number): number =>
  Math.min(MOST_DIGITS, String(price).split('.')[1]?.length ?? 0);

/**
 * Columns that fit on a desk without a look aside, and of those the ones that fit on a phone. What
 * else is known of a trade is in its row when it is opened.
 */
const COLUMNS: Column<FoundTrade>[] = [
  {
    title: 'Closed',
    cell: (trade) => <BrokerTime value={trade.closeTime} bare seconds="wide" />,
  },
  {
    title: 'Trade',
    cell: (trade) => (
      <span className="trade-what">
        {trade.symbol ? <strong>{trade.symbol}</strong> : null}
        <span className={trade.symbol ? 'hint' : ''}>{typeWords(trade.type)}</span>
      </span>
    ),
  },
  {
    title: 'Ticket',
    wide: true,
    cell: (trade) => <span className="number">{trade.positionId}</span>,
  },
  {
    title: 'Lots',
    align: 'end',
    wide: true,
    cell: (trade) => (trade.volume > 0 ? formatNumber(trade.volume, 8) : '–'),
  },
  {
    title: 'Open → close price',
    align: 'end',
    wide: true,
    cell: (trade) => <span className="number nowrap">{prices(trade)}</span>,
  },
  {
    title: 'Pips',
    align: 'end',
    wide: true,
    cell: (trade) => (trade.pips === undefined ? '–' : formatFixed(trade.pips, 1, true)),
  },
  {
    title: 'Held',
    align: 'end',
    wide: true,
    cell: (trade) => (
      <span className="nowrap">{trade.symbol ? formatDuration(trade.durationInMinutes) : '–'}</span>
    ),
  },
  {
    title: 'Gain',
    align: 'end',
    wide: true,
    cell: (trade) => (
      <span className="nowrap">{trade.symbol ? formatPercent(trade.gain, 2, true) : '–'}</span>
    ),
  },
];

export const tradeColumns = (currency: string): Column<FoundTrade>[] => [
  ...COLUMNS,
  {
    title: `Profit (${currency})`,
    align: 'end',
    cell: (trade) => <Money value={trade.profit} currency={currency} signed bare />,
  },
];

/** How far the open result moved. Between two snapshots it may have moved further: an estimate. */
function Excursions({ trade, currency }: { trade: FoundTrade; currency: string }) {
  const { maximumAdverseExcursion: worst, maximumFavourableExcursion: best } = trade;
  if (worst === undefined || best === undefined) return '–';
  return (
    <span className="nowrap">
      ≈ <Money value={worst} currency={currency} signed bare /> …{' '}
      <Money value={best} currency={currency} signed bare />
    </span>
  );
}

const EXCURSIONS = 'Worst … best while open (MAE, MFE)';
const HOW_EXCURSIONS =
  'How far the result went against the trade and in its favour, costs included: lowest, and highest, equity of the snapshots while it was open − balance before it. An estimate: between two snapshots it may have gone further, but not less far. Known of trades that were alone in the account, with snapshots in each of their hours.';

/** All that is known of a trade, for a row that opens. */
export const tradeFacts = (trade: FoundTrade, currency: string): readonly (Fact | false)[] => {
  const isTrade = trade.symbol !== undefined;
  const price = (value: number | undefined) => value && formatNumber(value, 8);
  return [
    ['Closed', <BrokerTime key="closed" value={trade.closeTime} seconds />],
    isTrade && ['Opened', <BrokerTime key="opened" value={trade.openTime} seconds />],
    isTrade && ['Held', formatDuration(trade.durationInMinutes)],
    ['Ticket', trade.positionId],
    isTrade && ['Lots', formatNumber(trade.volume, 8)],
    isTrade && ['Open → close price', prices(trade)],
    ['Stop', price(trade.stopLoss)],
    ['Target', price(trade.takeProfit)],
    ['Pips', trade.pips === undefined ? undefined : formatFixed(trade.pips, 1, true)],
    ['Profit', <Money key="profit" value={trade.profit} currency={currency} signed />],
    isTrade && ['Of the balance', formatPercent(trade.gain, 2, true)],
    isTrade && ['Expert', expertName(trade.magic === undefined ? undefined : String(trade.magic))],
    isTrade && [
      EXCURSIONS,
      <Fragment key="excursions">
        <Excursions trade={trade} currency={currency} />
        <How of={EXCURSIONS}>{HOW_EXCURSIONS}</How>
      </Fragment>,
      'span',
    ],
    ['Comment', trade.comment, 'span'],
  ];
};
