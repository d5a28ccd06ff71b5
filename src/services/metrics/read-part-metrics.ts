import type { PartMetricsRecord } from '../../contract/operations/metrics.ts';
import { brokerTimeAt, DAY_MS } from '../../domain/broker-time.ts';
import { dailyGrowthOf, monthlyGrowthOf } from '../../domain/metrics/calendar-growth.ts';
import type { TradePart } from '../../domain/metrics/counted-trade.ts';
import { dailySeriesOf } from '../../domain/metrics/daily-returns.ts';
import { chained, gainPercentOf } from '../../domain/metrics/growth.ts';
import { growthDayOf } from '../../domain/metrics/growth-day.ts';
import { partMetricsOf } from '../../domain/metrics/part-metrics.ts';
import type { PartState } from '../../domain/metrics/part-state.ts';
import { ratioOf, totalOf } from '../../domain/metrics/ratio.ts';
import { riskFiguresOf } from '../../domain/metrics/risk-figures.ts';
import { groupFrom, totalGroupOf } from '../../domain/metrics/trade-groups.ts';
import { ownBytes } from '../../domain/own-bytes.ts';
import { readPart } from '../../histories/read-part.ts';
import type { TradeComputer } from '../../histories/trade-computer.ts';
import type { Account } from '../../storage/account-store.ts';
import { readHoursVersion } from '../../storage/hour-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { requireStatistics } from '../trades/read-historical-trades.ts';
import { excursionsOfPart } from './excursions-of-part.ts';
import type { LastingMetrics } from './lasting-metrics.ts';
import { isRange, type PartQuery, partBefore, readMetricsPart } from './metrics-part.ts';
import { type MetricsSource, readMetricsSource } from './metrics-source.ts';
import { Amounts, riskOf, timeOf, type Undefinable } from './present-metrics.ts';
import type { MetricsAnswer, MetricsOptions } from './read-metrics.ts';

export type CutContext = Context & { trades: TradeComputer; lasting: LastingMetrics };

/**
 * Statistics of the closed positions that match all conditions, and of the stretch before. If only
 * complete days are requested, those of the account in them, too. Throws `forbidden` if statistics
 * are switched off, `notFound`, `validation`.
 */
export async function readPartMetrics(
  context: CutContext,
  principal: Principal,
  accountId: string,
  query: PartQuery,
  { includeExcursions = false }: Pick<MetricsOptions, 'includeExcursions'> = {},
): Promise<MetricsAnswer> {
  const part = readMetricsPart(query);
  const account = await accessAccount(context, principal, accountId);
  const { database } = context;
  const today = growthDayOf(brokerTimeAt(context.now(), account.brokerClock));
  const before = partBefore(part, (today + 1) * DAY_MS);
  const hasDays = isRange(part) && [part.fromMs, part.toMs].every(isDayStart);
  const hours = hasDays || includeExcursions ? await readHoursVersion(database, account.number) : 0;
  return readCut(
    context,
    account,
    `part ${includeExcursions} ${JSON.stringify(part)}`,
    `${today}|${hours}`,
    async () => {
      const state = await readPart(database, account.number, part);
      const earlier = before && (await readPart(database, account.number, before));
      const source = hasDays ? await readMetricsSource(database, account.number) : undefined;
      const excursions = includeExcursions
        ? await excursionsOfPart(database, account.number, part)
        : undefined;
      return {
        ...presentPart(account, part, state, source),
        excursions: new Amounts(account.currency, true).ofExcursions(excursions),
        before: before && earlier && presentBefore(account, before, earlier),
      };
    },
  );
}

/** An answer about some of an account's trades, from memory until those or its version change. */
export async function readCut(
  { trades, lasting }: CutContext,
  account: Account,
  what: string,
  version: string,
  make: () => Promise<object>,
): Promise<MetricsAnswer> {
  requireStatistics(account);
  const answer = await trades.read(account, (tradeVersion) =>
    lasting.cuts.of(`${account.number} ${what}`, `${tradeVersion}|${version}`, async () => {
      const made = await make();
      // Deals that came in between may be in only a part of the data read.
      return (await trades.isAt(account, tradeVersion))
        ? ownBytes(JSON.stringify(made))
        : undefined;
    }),
  );
  return answer.ready ? { ready: true, body: [answer.value] } : answer;
}

const isDayStart = (timeMs: number | undefined): boolean =>
  timeMs === undefined || timeMs % DAY_MS === 0;

function presentPart(
  { currency }: Account,
  part: TradePart,
  state: PartState,
  source: MetricsSource | undefined,
): Undefinable<Omit<PartMetricsRecord, 'before' | 'excursions'>> {
  const metrics = partMetricsOf(state);
  const money = new Amounts(currency, source?.state.growth.isFunded ?? true);
  const { fromMs, toMs, ...cut } = part;
  const { low, maximalFall } = state.course;
  return {
    kind: 'part',
    currency,
    part: { from: timeOf(fromMs), to: timeOf(toMs), ...cut },
    profit: money.plain(metrics.netProfit),
    commissions: money.plain(state.commission),
    interest: money.plain(state.swap),
    fee: money.plain(state.fee),
    ...money.ofTrades(metrics),
    maxDrawdown: { absolute: money.plain(-low), maximal: money.plain(maximalFall) },
    recoveryFactor: ratioOf(metrics.netProfit, maximalFall),
    ...(source && daysOf(money, part, source)),
  };
}

/** Results of the account on the days of a range, including its open positions and transfers. */
function daysOf(money: Amounts, part: TradePart, { state, days, equityDays }: MetricsSource) {
  const fromDay = part.fromMs === undefined ? -Infinity : growthDayOf(part.fromMs);
  const toDay = part.toMs === undefined ? Infinity : growthDayOf(part.toMs);
  const isInside = ({ day }: { day: number }): boolean => day >= fromDay && day < toDay;
  const own = days.filter(isInside);
  const series = dailySeriesOf(state.growth.isFunded === false ? [] : days, equityDays);
  const since = series.equitySinceDay;
  const risk = riskFiguresOf({
    returns: series.returns.filter(isInside),
    equitySinceDay: since === undefined || since >= toDay ? undefined : Math.max(since, fromDay),
  });
  const factor = own.reduce((product, day) => chained(product, day.factor), 1);
  return {
    gain: money.rate(gainPercentOf(factor)),
    risk: riskOf(risk),
    deposits: money.plain(totalOf(own, ({ transfers }) => Math.max(0, transfers))),
    withdrawals: money.plain(totalOf(own, ({ transfers }) => Math.max(0, -transfers))),
    dailyGrowth: dailyGrowthOf(own).map((day) => money.ofGrowth(day)),
    monthlyAnalytics: monthlyGrowthOf(own).map((month) => money.ofGrowth(month)),
  };
}

function presentBefore({ currency }: Account, { fromMs, toMs }: TradePart, state: PartState) {
  const group = groupFrom('', totalGroupOf(state.byCloseHour));
  return {
    ...{ from: timeOf(fromMs), to: timeOf(toMs) },
    ...new Amounts(currency, true).ofGroup(group),
  };
}
