import type { ReactNode } from 'react';
import type { DrawdownRecord } from '../../../../src/contract/operations/drawdown.ts';
import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { Money } from '../../components/money.tsx';
import {
  formatDuration,
  formatFixed,
  formatFraction,
  formatNumber,
  formatPercent,
} from '../../lib/format.ts';

type Stat = { title: string; value: ReactNode; note?: ReactNode };

/** The most wanted figures; an undefined one shows a dash. */
export function MetricCards(props: {
  metrics: AccountMetricsRecord;
  /** Of the equity, if snapshots show it: the values of the chart. */
  drawdown: DrawdownRecord | undefined;
}) {
  return (
    <dl className="stats">
      {statsOf(props.metrics, props.drawdown).map(({ title, value, note }) => (
        <div key={title} className="card stat">
          <dt>{title}</dt>
          <dd className="stat-value number">{value ?? '–'}</dd>
          {note ? <dd className="hint">{note}</dd> : null}
        </div>
      ))}
    </dl>
  );
}

const plain = (value: number | undefined, digits = 2): string | undefined =>
  value === undefined ? undefined : formatFixed(value, digits);

function statsOf(metrics: AccountMetricsRecord, drawdown: DrawdownRecord | undefined): Stat[] {
  const { currency, holdingTimes, maxDrawdown, streaks } = metrics;
  const money = (value: number | undefined, signed = true): ReactNode =>
    value === undefined ? undefined : <Money value={value} currency={currency} signed={signed} />;
  const held = holdingTimes.all;
  return [
    {
      title: 'Profit booked',
      value: money(metrics.profit),
      note: (
        <>
          Closed trades {money(metrics.netProfit)}; total costs{' '}
          {money(metrics.commissions + metrics.interest + metrics.fee)}
        </>
      ),
    },
    gainStat(metrics),
    wonStat(metrics),
    {
      title: 'Profit factor',
      value: plain(metrics.profitFactor),
      note: 'Gross profit divided by gross loss',
    },
    drawdownStat(maxDrawdown, drawdown),
    {
      title: 'Average trade',
      value: money(metrics.expectancy),
      note: (
        <>
          Won {money(metrics.averageWin) ?? '–'}, lost {money(metrics.averageLoss) ?? '–'}
        </>
      ),
    },
    {
      title: 'Best, worst trade',
      value: money(metrics.bestTrade),
      note: money(metrics.worstTrade),
    },
    {
      title: 'Longest streaks',
      value: `${streaks.longestWin.count} / ${streaks.longestLoss.count}`,
      note: 'Wins / losses in a row',
    },
    {
      title: 'Held for',
      value: held ? formatDuration(held.medianMinutes) : undefined,
      note: held ? `Median; average ${formatDuration(held.averageMinutes)}` : undefined,
    },
    {
      title: 'Sharpe ratio',
      value: plain(metrics.sharpeRatio),
      note: metrics.sharpeRatio === undefined ? 'From 30 trades on' : 'Per trade',
    },
    { title: 'Volume', value: `${formatNumber(metrics.lots)} lots`, note: pips(metrics) },
    {
      title: 'Deposits',
      value: money(metrics.deposits, false),
      note: <>Withdrawn: {money(metrics.withdrawals, false)}</>,
    },
  ];
}

const gainStat = (metrics: AccountMetricsRecord): Stat => ({
  title: 'Gain',
  value: metrics.gain === undefined ? undefined : formatPercent(metrics.gain, 2, true),
  note:
    metrics.gain === undefined
      ? 'Unknown: the history does not begin with a deposit'
      : 'Time-weighted, transfers left out',
});

const wonStat = (metrics: AccountMetricsRecord): Stat => ({
  title: 'Trades won',
  value:
    metrics.wonTradesPercent === undefined ? undefined : formatPercent(metrics.wonTradesPercent, 1),
  note: `${metrics.wonTrades} won, ${metrics.lostTrades} lost of ${metrics.trades}`,
});

/** Of the equity if known; by closed trades it is never larger than the real one. */
function drawdownStat(
  { maximalPercent }: AccountMetricsRecord['maxDrawdown'],
  drawdown: DrawdownRecord | undefined,
): Stat {
  const byTrades = maximalPercent === undefined ? undefined : formatPercent(maximalPercent);
  if (!drawdown || drawdown.points.length === 0) {
    return {
      title: 'Largest drawdown',
      value: byTrades,
      note: 'By closed trades, transfers left out',
    };
  }
  return {
    title: 'Largest drawdown',
    value: formatFraction(drawdown.deepest),
    note: `Of the equity, transfers left out; ${byTrades ?? 'not known'} by closed trades`,
  };
}

const pips = ({ pips: all }: AccountMetricsRecord): string | undefined =>
  all === undefined ? undefined : `${formatNumber(all, 1, true)} pips`;
