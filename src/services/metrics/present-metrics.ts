import { formatBrokerTime, MINUTE_MS } from '../../domain/broker-time.ts';
import type { AccountMetrics } from '../../domain/metrics/account-metrics.ts';
import type { CalendarGrowth } from '../../domain/metrics/calendar-growth.ts';
import type { ExtremeTrade } from '../../domain/metrics/extreme-trades.ts';
import type { HoldingTimes } from '../../domain/metrics/holding-times.ts';
import type { Streak, Streaks } from '../../domain/metrics/streaks.ts';
import type { TradeGroup } from '../../domain/metrics/trade-groups.ts';
import type { WinLoss } from '../../domain/metrics/win-loss.ts';
import { fromUnits, fromVolume, moneyDigits } from '../../domain/money.ts';

/** Metrics as the wire shows them: amounts and lots as plain numbers, times as text. */
export function presentMetrics(metrics: AccountMetrics & { equity: number }, currency: string) {
  const digits = moneyDigits(currency);
  const plain = (units: number): number => fromUnits(units, digits);
  const maybe = (units: number | undefined) => (units === undefined ? undefined : plain(units));
  const time = (timeMs: number | undefined) =>
    timeMs === undefined ? undefined : formatBrokerTime(timeMs);

  const winLoss = (some: WinLoss) => ({
    trades: some.trades,
    won: some.won,
    lost: some.lost,
    wonPercent: some.wonPercent,
    lostPercent: some.lostPercent,
    grossProfit: plain(some.grossProfit),
    grossLoss: plain(some.grossLoss),
    netProfit: plain(some.netProfit),
    profitFactor: some.profitFactor,
    expectancy: maybe(some.expectancy),
    averageWin: maybe(some.averageWin),
    averageLoss: maybe(some.averageLoss),
    largestWin: maybe(some.largestWin),
    largestLoss: maybe(some.largestLoss),
  });
  const extreme = (trade: ExtremeTrade | undefined) =>
    trade && {
      positionId: trade.id,
      symbol: trade.symbol,
      profit: plain(trade.profit),
      closeTime: formatBrokerTime(trade.closeTimeMs),
    };
  const streak = ({ count, money }: Streak) => ({ count, money: plain(money) });
  const streaks = (some: Streaks) => ({
    longestWin: streak(some.longestWin),
    longestLoss: streak(some.longestLoss),
    largestWin: streak(some.largestWin),
    largestLoss: streak(some.largestLoss),
    averageWins: some.averageWins,
    averageLosses: some.averageLosses,
  });
  const rate = (percent: number) => (metrics.isFunded ? percent : undefined);
  const growth = (period: CalendarGrowth) => ({
    date: period.date,
    trades: period.trades,
    gain: rate(period.gain),
    belowPeak: rate(period.belowPeak),
    profit: plain(period.profit),
    transfers: plain(period.transfers),
    balance: plain(period.balance),
  });
  const group = <Key>({ key, trades, won, wonPercent, profit, volume, pips }: TradeGroup<Key>) => ({
    ...{ key, trades, won, wonPercent, pips },
    ...{ profit: plain(profit), volume: fromVolume(volume) },
  });
  const holding = (times: HoldingTimes | undefined) =>
    times && {
      averageMinutes: times.averageMs / MINUTE_MS,
      medianMinutes: times.medianMs / MINUTE_MS,
      shortestMinutes: times.shortestMs / MINUTE_MS,
      longestMinutes: times.longestMs / MINUTE_MS,
    };
  return {
    currency,
    balance: plain(metrics.balance),
    equity: plain(metrics.equity),
    credit: maybe(metrics.credit),
    deposits: plain(metrics.deposits),
    withdrawals: plain(metrics.withdrawals),
    profit: plain(metrics.profit),
    ...winLoss(metrics),
    longTrades: winLoss(metrics.longTrades),
    shortTrades: winLoss(metrics.shortTrades),
    bestTrade: extreme(metrics.bestTrade),
    worstTrade: extreme(metrics.worstTrade),
    streaks: streaks(metrics.streaks),
    commission: plain(metrics.commission),
    swap: plain(metrics.swap),
    fee: plain(metrics.fee),
    volume: fromVolume(metrics.volume),
    pips: metrics.pips,
    averagePips: metrics.averagePips,
    gain: rate(metrics.gain),
    absoluteGain: metrics.absoluteGain,
    maxDrawdown: {
      absolute: plain(metrics.drawdown.absolute),
      maximal: plain(metrics.drawdown.maximal),
      maximalPercent: rate(metrics.drawdown.maximalPercent),
    },
    recoveryFactor: metrics.recoveryFactor,
    standardDeviation: maybe(metrics.standardDeviation),
    sharpeRatio: metrics.sharpeRatio,
    sortinoRatio: metrics.sortinoRatio,
    averageHoldingPeriodReturn: metrics.averageHoldingPeriodReturn,
    geometricHoldingPeriodReturn: metrics.geometricHoldingPeriodReturn,
    zScore: metrics.zScore,
    holdingTimes: {
      all: holding(metrics.holdingTimes.all),
      won: holding(metrics.holdingTimes.won),
      lost: holding(metrics.holdingTimes.lost),
    },
    firstTradeTime: time(metrics.firstTradeTimeMs),
    lastTradeTime: time(metrics.lastTradeTimeMs),
    daysSinceFirstTrade: metrics.daysSinceFirstTrade,
    tradesPerDay: metrics.tradesPerDay,
    dailyGrowth: metrics.daily.map(growth),
    monthlyGrowth: metrics.monthly.map(growth),
    bySymbol: metrics.bySymbol.map(group),
    byWeekday: metrics.byWeekday.map(group),
    byOpenHour: metrics.byOpenHour.map(group),
    byCloseHour: metrics.byCloseHour.map(group),
  };
}
