import { type AccountMetricsRecord, MAX_MONTHS } from '../../contract/operations/metrics.ts';
import { type BrokerTimeMs, formatBrokerTime, MINUTE_MS } from '../../domain/broker-time.ts';
import type { AccountMetrics } from '../../domain/metrics/account-metrics.ts';
import type { BalanceDrawdown } from '../../domain/metrics/balance-drawdown.ts';
import { type CalendarGrowth, dateOf } from '../../domain/metrics/calendar-growth.ts';
import { excursionFiguresFrom } from '../../domain/metrics/excursion-figures.ts';
import type { HoldingTimes } from '../../domain/metrics/holding-times.ts';
import type { PartMetrics } from '../../domain/metrics/part-metrics.ts';
import type { PeriodGrowth } from '../../domain/metrics/period-growth.ts';
import type { SpanFigures } from '../../domain/metrics/result-spans.ts';
import type { RiskFigures } from '../../domain/metrics/risk-figures.ts';
import type { Streak } from '../../domain/metrics/streaks.ts';
import type { TradeGroup } from '../../domain/metrics/trade-groups.ts';
import { tradingPaceOf } from '../../domain/metrics/trading-pace.ts';
import { fromUnits, fromVolume, moneyDigits } from '../../domain/money.ts';
import { DURATION_WORDS } from '../../words/statistics.ts';
import type { PartExcursions } from './excursions-of-part.ts';

/** Figures that depend on the moment of the request, not only on the deals. */
export type Momentary = Undefinable<
  Pick<
    AccountMetricsRecord,
    'inclusive' | 'equity' | 'equityPercent' | 'daysSinceTradingStarted' | 'tradesPerDay'
  >
>;
/** The other figures. */
export type LastingMetrics = Undefinable<Omit<AccountMetricsRecord, keyof Momentary>>;

/** Absent fields may be present as undefined: in JSON they are equal. */
export type Undefinable<T> = T extends readonly (infer Item)[]
  ? Undefinable<Item>[]
  : T extends object
    ? { [Name in keyof T]: Undefinable<T[Name]> | (undefined extends T[Name] ? undefined : never) }
    : T;

/** How busily the account has traded up to a moment, in the form of the API. */
export function presentPace(
  traded: Parameters<typeof tradingPaceOf>[0],
  nowMs: BrokerTimeMs,
): Pick<Momentary, 'daysSinceTradingStarted' | 'tradesPerDay'> {
  const { daysSinceFirstTrade, tradesPerDay } = tradingPaceOf(traded, nowMs);
  return { daysSinceTradingStarted: daysSinceFirstTrade, tradesPerDay };
}

/** Metrics in the form of the API: amounts and lots as plain numbers, times as text. */
export function presentMetrics(
  metrics: AccountMetrics,
  currency: string,
  excursions?: PartExcursions,
): LastingMetrics {
  const money = new Amounts(currency, metrics.isFunded);
  return {
    kind: 'account',
    currency,
    ...money.ofAccount(metrics),
    ...money.ofTrades(metrics),
    excursions: money.ofExcursions(excursions),
    maxDrawdown: {
      absolute: money.plain(metrics.drawdown.absolute),
      maximal: money.plain(metrics.drawdown.maximal),
      maximalPercent: money.rate(metrics.drawdown.maximalPercent),
    },
    balanceDrawdown: money.ofDrawdown(metrics.balanceDrawdown),
    recoveryFactor: metrics.recoveryFactor,
    riskOfRuin: metrics.riskOfRuin,
    risk: riskOf(metrics.risk),
    periods: money.ofPeriods(metrics.periods),
    dailyGrowth: metrics.daily.map((day) => money.ofGrowth(day)),
    monthlyAnalytics: metrics.monthly.slice(-MAX_MONTHS).map((month) => money.ofGrowth(month)),
  };
}

/** Presents figures with money of one currency. */
export class Amounts {
  readonly #digits: number;
  readonly #isFunded: boolean;

  constructor(currency: string, isFunded: boolean) {
    this.#digits = moneyDigits(currency);
    this.#isFunded = isFunded;
  }

  /** Gains and falls in percent are not defined without the money they relate to. */
  readonly rate = (percent: number | undefined) => (this.#isFunded ? percent : undefined);

  readonly plain = (units: number): number => fromUnits(units, this.#digits);
  readonly #maybe = (units: number | undefined) =>
    units === undefined ? undefined : this.plain(units);

  ofAccount(metrics: AccountMetrics) {
    return {
      balance: this.plain(metrics.balance),
      credit: this.plain(metrics.credit),
      deposits: this.plain(metrics.deposits),
      withdrawals: this.plain(metrics.withdrawals),
      highestBalance: this.plain(metrics.highestBalance),
      highestBalanceDate: timeOf(metrics.highestBalanceTimeMs),
      profit: this.plain(metrics.profit),
      commissions: this.plain(metrics.commission),
      interest: this.plain(metrics.swap),
      fee: this.plain(metrics.fee),
      gain: this.rate(metrics.gain),
      absoluteGain: metrics.absoluteGain,
      dailyGain: this.rate(metrics.dailyGain),
      monthlyGain: this.rate(metrics.monthlyGain),
      cagr: this.rate(metrics.cagr),
      mar: this.rate(metrics.mar),
    };
  }

  ofTrades(metrics: PartMetrics) {
    const { longTrades, shortTrades, holdingTimes } = metrics;
    return {
      trades: metrics.trades,
      wonTrades: metrics.won,
      wonTradesPercent: metrics.wonPercent,
      lostTrades: metrics.lost,
      lostTradesPercent: metrics.lostPercent,
      longTrades: longTrades.trades,
      longWonTrades: longTrades.won,
      longWonTradesPercent: longTrades.wonPercent,
      longProfit: this.plain(longTrades.netProfit),
      shortTrades: shortTrades.trades,
      shortWonTrades: shortTrades.won,
      shortWonTradesPercent: shortTrades.wonPercent,
      shortProfit: this.plain(shortTrades.netProfit),
      lots: fromVolume(metrics.volume),
      totalTradeMarketValue: this.#maybe(metrics.marketValue),
      pips: metrics.pips,
      wonPips: metrics.wonPips,
      lostPips: metrics.lostPips,
      grossProfit: this.plain(metrics.grossProfit),
      grossLoss: this.plain(metrics.grossLoss),
      netProfit: this.plain(metrics.netProfit),
      profitFactor: metrics.profitFactor,
      expectancy: this.#maybe(metrics.expectancy),
      expectancyPips: metrics.averagePips,
      averageWin: this.#maybe(metrics.averageWin),
      averageWinPips: metrics.averageWinPips,
      averageLoss: this.#maybe(metrics.averageLoss),
      averageLossPips: metrics.averageLossPips,
      ...this.#ofExtremes(metrics),
      standardDeviationProfit: this.#maybe(metrics.standardDeviation),
      kurtosisProfit: metrics.kurtosisProfit,
      averageTradeLengthInMilliseconds: holdingTimes.all?.averageMs,
      payoffRatio: metrics.payoffRatio,
      kellyPercent: metrics.kellyPercent,
      systemQualityNumber: metrics.systemQualityNumber,
      gainToPainRatio: metrics.gainToPainRatio,
      riskMultiples: metrics.riskMultiples,
      calendarResults: {
        days: this.#ofSpans(metrics.spans.day),
        weeks: this.#ofSpans(metrics.spans.week),
        months: this.#ofSpans(metrics.spans.month),
      },
      ...this.#ofSpread(metrics),
    };
  }

  ofExcursions(found: PartExcursions) {
    if (!found) return undefined;
    const figures = excursionFiguresFrom(found);
    return {
      ...{ lookedAt: found.lookedAt, trades: figures.trades },
      averageAdverse: this.#maybe(figures.averageAdverse),
      worstAdverse: this.#maybe(figures.worstAdverse),
      averageFavourable: this.#maybe(figures.averageFavourable),
      bestFavourable: this.#maybe(figures.bestFavourable),
      capturedPercent: figures.capturedPercent,
    };
  }

  #ofSpread(metrics: PartMetrics) {
    const { all, won, lost } = metrics.holdingTimes;
    return {
      streaks: this.#ofStreaks(metrics),
      sharpeRatio: metrics.sharpeRatio,
      sortinoRatio: metrics.sortinoRatio,
      averageHoldingPeriodReturn: metrics.averageHoldingPeriodReturn,
      geometricHoldingPeriodReturn: metrics.geometricHoldingPeriodReturn,
      zScore: metrics.zScore,
      probability: metrics.probability,
      holdingTimes: { all: holdingOf(all), won: holdingOf(won), lost: holdingOf(lost) },
      tradingStartBrokerTime: timeOf(metrics.firstTradeTimeMs),
      lastTradeTime: timeOf(metrics.lastTradeTimeMs),
      bySymbol: metrics.bySymbol.map((group) => ({ symbol: group.key, ...this.ofGroup(group) })),
      byMagic: metrics.byMagic.map((group) => ({
        magic: group.key || undefined,
        ...this.ofGroup(group),
      })),
      byDuration: DURATION_WORDS.flatMap((duration) => {
        const group = metrics.byDuration.find(({ key }) => key === duration);
        return group ? [{ duration, ...this.ofGroup(group) }] : [];
      }),
      closeTradesByWeekDay: metrics.byWeekday.map((group) => ({
        day: group.key,
        ...this.ofGroup(group),
      })),
      openTradesByHour: metrics.byOpenHour.map((group) => this.#ofHour(group)),
      closeTradesByHour: metrics.byCloseHour.map((group) => this.#ofHour(group)),
    };
  }

  #ofSpans({ best, worst, gaining, losing }: SpanFigures) {
    return {
      ...{ best: this.#maybe(best?.money), bestDate: best && dateOf(best.startDay) },
      ...{ worst: this.#maybe(worst?.money), worstDate: worst && dateOf(worst.startDay) },
      ...{ profitable: gaining, losing },
    };
  }

  #ofExtremes({ bestTrade, worstTrade, mostPips, leastPips }: PartMetrics) {
    return {
      bestTrade: this.#maybe(bestTrade?.profit),
      bestTradeId: bestTrade?.id,
      bestTradeDate: timeOf(bestTrade?.closeTimeMs),
      bestTradePips: mostPips && mostPips.tenths / 10,
      bestTradePipsDate: timeOf(mostPips?.closeTimeMs),
      worstTrade: this.#maybe(worstTrade?.profit),
      worstTradeId: worstTrade?.id,
      worstTradeDate: timeOf(worstTrade?.closeTimeMs),
      worstTradePips: leastPips && leastPips.tenths / 10,
      worstTradePipsDate: timeOf(leastPips?.closeTimeMs),
    };
  }

  #ofStreaks({ streaks }: PartMetrics) {
    const streak = ({ count, money }: Streak) => ({ count, money: this.plain(money) });
    return {
      longestWin: streak(streaks.longestWin),
      longestLoss: streak(streaks.longestLoss),
      largestWin: streak(streaks.largestWin),
      largestLoss: streak(streaks.largestLoss),
      averageWins: streaks.averageWins,
      averageLosses: streaks.averageLosses,
    };
  }

  ofDrawdown(drawdown: BalanceDrawdown) {
    const { absolute, maximal, maximalPercent, relative, relativePercent } = drawdown;
    return {
      ...{ absolute: this.plain(absolute), maximal: this.plain(maximal), maximalPercent },
      ...{ relative: this.plain(relative), relativePercent },
    };
  }

  ofPeriods({ today, thisWeek, thisMonth, thisYear }: AccountMetrics['periods']) {
    const period = (growth: PeriodGrowth | undefined) =>
      growth && {
        ...{ trades: growth.trades, profit: this.plain(growth.profit) },
        ...{ lots: fromVolume(growth.volume), pips: growth.pips, gain: this.rate(growth.gain) },
        winRate: growth.wonPercent,
        tradesDifference: growth.difference.trades,
        profitDifference: this.plain(growth.difference.profit),
        lotsDifference: fromVolume(growth.difference.volume),
        pipsDifference: growth.difference.pips,
        gainDifference: this.rate(growth.difference.gain),
        winRateDifference: growth.difference.wonPercent,
      };
    return {
      ...{ today: period(today), thisWeek: period(thisWeek) },
      ...{ thisMonth: period(thisMonth), thisYear: period(thisYear) },
    };
  }

  ofGrowth(growth: CalendarGrowth) {
    return {
      date: growth.date,
      trades: growth.trades,
      lots: fromVolume(growth.volume),
      pips: growth.pips,
      profit: this.plain(growth.profit),
      gains: this.rate(growth.gain),
      transfers: this.plain(growth.transfers),
      balance: this.plain(growth.balance),
      totalProfit: this.plain(growth.totalProfit),
      totalGains: this.rate(growth.totalGain),
      drawdownProfit: this.plain(growth.maximalFall),
      drawdownPercentage: this.rate(growth.fallPercent),
      belowPeak: this.rate(growth.maximalFallPercent),
    };
  }

  ofGroup<Key>(group: TradeGroup<Key>) {
    return {
      trades: group.trades,
      wonTrades: group.won,
      wonTradesPercent: group.wonPercent,
      lostTrades: group.lost,
      lostTradesPercent: group.lostPercent,
      longTrades: group.long,
      longTradesPercent: group.longPercent,
      shortTrades: group.short,
      shortTradesPercent: group.shortPercent,
      profit: this.plain(group.profit),
      wonProfit: this.plain(group.wonProfit),
      lostProfit: this.plain(group.lostProfit),
      longProfit: this.plain(group.longProfit),
      shortProfit: this.plain(group.shortProfit),
      gains: this.rate(group.gain),
      profitFactor: group.profitFactor,
      expectancy: this.#maybe(group.expectancy),
      averageWin: this.#maybe(group.averageWin),
      averageLoss: this.#maybe(group.averageLoss),
      averageMinutes: group.averageHeldMs / MINUTE_MS,
      averageRiskMultiple: group.averageMultiple,
      lots: fromVolume(group.volume),
      pips: group.pips,
    };
  }

  #ofHour(group: TradeGroup<number>) {
    return { hour: group.key, ...this.ofGroup(group) };
  }
}

export const timeOf = (timeMs: number | undefined) =>
  timeMs === undefined ? undefined : formatBrokerTime(timeMs);

const holdingOf = (times: HoldingTimes | undefined) =>
  times && {
    averageMinutes: times.averageMs / MINUTE_MS,
    medianMinutes: times.medianMs / MINUTE_MS,
    shortestMinutes: times.shortestMs / MINUTE_MS,
    longestMinutes: times.longestMs / MINUTE_MS,
  };

export function riskOf({ drawdowns, equitySinceDay, ...figures }: RiskFigures) {
  return {
    series: equitySinceDay === undefined ? ('balance' as const) : ('equity' as const),
    equitySince: equitySinceDay === undefined ? undefined : dateOf(equitySinceDay),
    ...figures,
    ulcerIndex: drawdowns.ulcerIndex,
    maxDrawdown: drawdowns.maximalPercent,
    drawdowns: drawdowns.deepest.map(({ depthPercent, startDay, troughDay, recoveryDay }) => ({
      ...{ depthPercent, startDate: dateOf(startDay), troughDate: dateOf(troughDay) },
      recoveryDate: recoveryDay === undefined ? undefined : dateOf(recoveryDay),
    })),
  };
}
