import type { ReactNode } from 'react';
import type { DrawdownRecord } from '../../../../src/contract/operations/drawdown.ts';
import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { How } from '../../components/how.tsx';
import { Money } from '../../components/money.tsx';
import {
  formatDuration,
  formatFixed,
  formatFraction,
  formatNumber,
  formatPercent,
} from '../../lib/format.ts';

/** A figure; `how` says in a sentence what it is, with its formula. */
type Stat = { title: string; value: ReactNode; note?: ReactNode; how: string };

/** The most wanted figures; an undefined one shows a dash. */
export function MetricCards(props: {
  metrics: AccountMetricsRecord;
  /** Of the equity, if snapshots show it: the values of the chart. */
  drawdown: DrawdownRecord | undefined;
}) {
  return (
    <dl className="stats">
      {statsOf(props.metrics, props.drawdown).map(({ title, value, note, how }) => (
        <div key={title} className="card stat">
          <dt>{title}</dt>
          <dd className="stat-value number">{value ?? '–'}</dd>
          {note ? <dd className="hint">{note}</dd> : null}
          <dd>
            <How of={title}>{how}</How>
          </dd>
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
  return [
    {
      title: 'Profit booked',
      value: money(metrics.profit),
      note: (
        <>
          Closed trades {money(metrics.netProfit)}; commissions, swaps and fees{' '}
          {money(metrics.commissions + metrics.interest + metrics.fee)}
        </>
      ),
      how: 'All that was booked but deposits, withdrawals and credit: sum of profit + swap + commission + fee of all deals.',
    },
    gainStat(metrics),
    wonStat(metrics),
    {
      title: 'Profit factor',
      value: plain(metrics.profitFactor),
      note: 'Gross profit divided by gross loss',
      how: 'Money won for each unit lost: sum of the won trades ÷ sum of the lost ones, without sign. Above 1 is a profit.',
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
      how: 'What a trade brought on average (expectancy): result of all closed trades ÷ their number.',
    },
    {
      title: 'Best, worst trade',
      value: money(metrics.bestTrade),
      note: money(metrics.worstTrade),
      how: 'The largest and the smallest result of one closed trade, costs included.',
    },
    {
      title: 'Longest streaks',
      value: `${streaks.longestWin.count} / ${streaks.longestLoss.count}`,
      note: 'Wins / losses in a row',
      how: 'The most trades won, and lost, one after another by the time of closing.',
    },
    heldStat(holdingTimes.all),
    {
      title: 'Sharpe ratio',
      value: plain(metrics.sharpeRatio),
      note: metrics.sharpeRatio === undefined ? 'From 30 trades on' : 'Per trade',
      how: 'Result for the risk taken: mean of the returns of trades ÷ their standard deviation.',
    },
    {
      title: 'Volume',
      value: `${formatNumber(metrics.lots)} lots`,
      note: pips(metrics),
      how: 'Sum of the lots, and of the pips, of closed trades.',
    },
    {
      title: 'Deposits',
      value: money(metrics.deposits, false),
      note: <>Withdrawn: {money(metrics.withdrawals, false)}</>,
      how: 'Money paid in and out: sums of the balance operations above and below zero.',
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
  how: 'Growth that deposits do not change: (1 + return) of each stretch between transfers, multiplied, − 1; return = result ÷ balance at its start.',
});

const wonStat = (metrics: AccountMetricsRecord): Stat => ({
  title: 'Trades won',
  value:
    metrics.wonTradesPercent === undefined ? undefined : formatPercent(metrics.wonTradesPercent, 1),
  note: `${metrics.wonTrades} won, ${metrics.lostTrades} lost of ${metrics.trades}`,
  how: 'Trades with a result above zero, costs included ÷ all closed trades.',
});

/** The median is exact where all are equal, else within 2 %. */
function heldStat(held: AccountMetricsRecord['holdingTimes']['all']): Stat {
  const isExact = held?.shortestMinutes === held?.longestMinutes;
  const like = held && Math.max(held.medianMinutes, held.averageMinutes);
  return {
    title: 'Held for',
    value: held && `${isExact ? '' : '≈ '}${formatDuration(held.medianMinutes, like)}`,
    note: held && `Median; average ${formatDuration(held.averageMinutes, like)}`,
    how: 'Half of the closed trades were held shorter, half longer: an estimate within 2 %. Average: sum of the times ÷ number of trades.',
  };
}

const DRAWDOWN =
  'The deepest fall from a high to a later low: 1 − lowest ÷ highest before, of the time-weighted growth.';

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
      how: DRAWDOWN,
    };
  }
  return {
    title: 'Largest drawdown',
    value: formatFraction(drawdown.deepest),
    note: `Of the equity, transfers left out; ${byTrades ?? 'not known'} by closed trades`,
    how: DRAWDOWN,
  };
}

const pips = ({ pips: all }: AccountMetricsRecord): string | undefined =>
  all === undefined ? undefined : `${formatNumber(all, 1, true)} pips`;
