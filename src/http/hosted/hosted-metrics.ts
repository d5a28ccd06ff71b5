import type { Fields } from '../../contract/hosted-names.ts';
import type { AccountMetricsRecord } from '../../contract/operations/metrics.ts';
import { DURATION_WORDS, DURATIONS, type Duration } from '../../words/statistics.ts';
import { readPlatform } from './hosted-platform.ts';
import { accountPath, type HostedAnswer, type HostedCall, withBody } from './hosted-row.ts';

/** Figures of some trades, as all tables have them. */
type Group = AccountMetricsRecord['bySymbol'][number];
type Row = Group & { month?: string; side?: 'buy' | 'sell' };
type Tables = { bySide: Row[]; byMonth: ReadonlyMap<string | undefined, Row[]> };

const MINUTE_MS = 60_000;
const MINUTE_SECONDS = 60;

export async function readHostedMetrics(call: HostedCall): Promise<HostedAnswer> {
  const { query } = call;
  const answer = await call.ask({ method: 'GET', path: accountPath(call, '/metrics'), query });
  const isOfAccount = (answer.body as { kind?: string } | undefined)?.kind === 'account';
  if (answer.status !== 200 || !isOfAccount)
    return withBody(answer, (metrics: Fields) => ({ metrics }));
  const { margin, freeMargin, marginLevel } =
    (await readPlatform(call, 'account-information')) ?? {};
  const bySide = await rowsOf(call, 'by=symbol,side');
  const months: Row[] = [];
  for (const side of ['buy', 'sell'] as const) {
    const rows = await rowsOf(call, `by=month,symbol&side=${side}`);
    months.push(...rows.map((row) => ({ ...row, side })));
  }
  const byMonth = Map.groupBy(months, ({ month }) => month);
  return withBody(answer, (metrics: AccountMetricsRecord) => ({
    metrics: {
      ...hostedMetrics(metrics, { bySide, byMonth }),
      ...{ margin, freeMargin, marginLevel },
    },
  }));
}

/** None while trades are being computed anew. */
async function rowsOf(call: HostedCall, query: string): Promise<Row[]> {
  const path = accountPath(call, '/metrics/table');
  const { status, body } = await call.ask({ method: 'GET', path, query });
  return status === 200 ? (body as { rows: Row[] }).rows : [];
}

function hostedMetrics(metrics: AccountMetricsRecord, { bySide, byMonth }: Tables): Fields {
  const { maxDrawdown, periods, monthlyAnalytics, bySymbol, byDuration, ...rest } = metrics;
  const { maximalPercent } = maxDrawdown;
  return {
    ...rest,
    ...(maximalPercent === undefined ? {} : { maxDrawdown: maximalPercent }),
    periods: Object.fromEntries(
      Object.entries(periods).map(([name, { winRate, winRateDifference, ...period }]) => [
        name,
        {
          ...period,
          wonTradesPercent: winRate,
          wonTradesPercentDifference: winRateDifference,
        },
      ]),
    ),
    monthlyAnalytics: monthlyAnalytics.map((month) => ({
      ...month,
      currencies: currenciesOf(month.trades, byMonth.get(month.date) ?? []),
    })),
    currencySummary: bySymbol.map((group) => summaryOf(group, bySide)),
    tradeDurationDiagram: byDuration.map(({ duration, trades }) => ({
      trades,
      ...columnOf(duration),
    })),
  };
}

const FIGURES = [
  ...(['profit', 'pips', 'trades', 'wonTrades', 'wonTradesPercent', 'lostTrades'] as const),
  'lostTradesPercent' as const,
];
const figuresOf = (group: Group): Fields =>
  Object.fromEntries(FIGURES.map((name) => [name, group[name]]));

function summaryOf(total: Group, bySide: readonly Row[]): Fields {
  const of = (side: Row['side']) =>
    bySide.find((row) => row.symbol === total.symbol && row.side === side);
  const [long, short] = [of('buy'), of('sell')];
  return {
    currency: total.symbol,
    total: figuresOf(total),
    ...(long ? { long: figuresOf(long) } : {}),
    ...(short ? { short: figuresOf(short) } : {}),
  };
}

function currenciesOf(all: number, rows: readonly Row[]): Fields[] {
  return [...Map.groupBy(rows, ({ symbol }) => symbol)].map(([currency, own]) => {
    const sum = (name: 'trades' | 'wonTrades' | 'wonProfit' | 'lostTrades' | 'lostProfit') =>
      own.reduce((total, row) => total + row[name], 0);
    const reward = sum('wonProfit') / sum('wonTrades');
    const ratio = reward / (sum('lostProfit') / sum('lostTrades'));
    const heldMs = (side: Row['side']) => {
      const row = own.find((one) => one.side === side);
      return row && Math.round(row.averageMinutes * MINUTE_MS);
    };
    return {
      currency,
      averageHoldingTimeLongsInMilliseconds: heldMs('buy'),
      averageHoldingTimeShortsInMilliseconds: heldMs('sell'),
      ...(Number.isFinite(ratio) ? { rewardToRiskRatio: ratio } : {}),
      popularityPercent: (100 * sum('trades')) / all,
    };
  });
}

/** A class of holding times in seconds, and the unit in which its shortest is told. */
function columnOf(duration: Duration): Fields {
  const before = DURATION_WORDS[DURATION_WORDS.indexOf(duration) - 1];
  const minDurationInSeconds = (before ? DURATIONS[before] : 0) * MINUTE_SECONDS;
  const end = DURATIONS[duration] * MINUTE_SECONDS;
  const unit = UNITS.findLast(({ minutes }) => minDurationInSeconds >= minutes * MINUTE_SECONDS);
  return {
    name: unit?.name,
    minDurationInSeconds,
    ...(Number.isFinite(end) ? { maxDurationInSeconds: end } : {}),
  };
}

const UNITS = [
  { name: 'seconds', minutes: 0 },
  { name: 'minutes', minutes: 1 },
  { name: 'hours', minutes: 60 },
  { name: 'days', minutes: 1440 },
  { name: 'weeks', minutes: 7 * 1440 },
];
