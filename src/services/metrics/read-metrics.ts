import { type BrokerTimeMs, brokerTimeAt, DAY_MS } from '../../domain/broker-time.ts';
import { metricsOf } from '../../domain/metrics/account-metrics.ts';
import { growthDayOf } from '../../domain/metrics/growth-day.ts';
import { withOpenResult } from '../../domain/metrics/open-result.ts';
import { percentOf } from '../../domain/metrics/ratio.ts';
import { fromUnits, type Money, moneyDigits } from '../../domain/money.ts';
import { ownBytes } from '../../domain/own-bytes.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { NotReady, TradeComputer } from '../../histories/trade-computer.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { listCapitalDeals } from '../../storage/deal-store.ts';
import { readHoursVersion } from '../../storage/hour-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { requireStatistics } from '../trades/read-historical-trades.ts';
import { excursionsOfPart, type PartExcursions } from './excursions-of-part.ts';
import type { LastingMetrics, LastingPart } from './lasting-metrics.ts';
import { type MetricsSource, readMetricsSource } from './metrics-source.ts';
import { type Momentary, presentMetrics, presentPace } from './present-metrics.ts';

export type MetricsAnswer =
  /** The answer's JSON in consecutive parts. */
  { ready: true; body: Buffer[] } | NotReady;

/** What is asked for beyond the usual. */
export type MetricsOptions = {
  includeOpenPositions: boolean;
  includeExcursions?: boolean | undefined;
};

/**
 * Statistics of an account's whole history as of now. Balance is that of the deals; equity that of
 * the last snapshot, or balance and credit. Concurrent requests for the same history share one
 * computation, and later ones get it from memory, until a deal, an hour or a day is added. Throws
 * `forbidden` if statistics are switched off, `notFound`.
 */
export async function readMetrics(
  context: Context & { trades: TradeComputer; live: LiveReader; lasting: LastingMetrics },
  principal: Principal,
  accountId: string,
  { includeOpenPositions, includeExcursions = false }: MetricsOptions,
): Promise<MetricsAnswer> {
  const account = await accessAccount(context, principal, accountId);
  requireStatistics(account);
  const { database, trades, lasting } = context;
  const nowMs = brokerTimeAt(context.now(), account.brokerClock);
  const metrics = await trades.read(account, async (tradeVersion) => {
    const seen = await context.live.read(account.number, true, ({ equity, lastTimeMs }) =>
      equity === undefined || lastTimeMs === undefined ? undefined : { equity, lastTimeMs },
    );
    const openAt =
      seen && includeOpenPositions ? await equityNow(database, account, seen) : undefined;
    const hoursVersion = await readHoursVersion(database, account.number);
    const key = `${account.number} ${includeOpenPositions} ${includeExcursions}`;
    const version = [tradeVersion, hoursVersion, growthDayOf(nowMs), openAt].join('|');
    const part = await lasting.of(key, version, async () => {
      const source = await readMetricsSource(database, account.number);
      const excursions = includeExcursions
        ? await excursionsOfPart(database, account.number, {})
        : undefined;
      // Deals that came in between may be in only a part of the data read.
      return (await trades.isAt(account, tradeVersion))
        ? lastingPart(account, { ...source, excursions }, growthDayOf(nowMs), openAt)
        : undefined;
    });
    return (
      part && [
        Buffer.from(headOf(account, part, nowMs, seen?.equity, includeOpenPositions)),
        part.json,
      ]
    );
  });
  return metrics.ready ? { ready: true, body: metrics.value } : metrics;
}

/** The last equity plus later deposits and withdrawals, which are no result of open positions. */
async function equityNow(
  sql: Sql,
  { number }: Account,
  { equity, lastTimeMs }: { equity: Money; lastTimeMs: BrokerTimeMs },
): Promise<Money> {
  const capital = await listCapitalDeals(sql, [number], lastTimeMs + 1);
  return capital.reduce((sum, { money }) => sum + money, equity);
}

/** Depends on the day, not the time of day, so that it changes once a day. */
function lastingPart(
  { currency }: Account,
  { state, days, equityDays, excursions }: MetricsSource & { excursions: PartExcursions },
  today: number,
  openAt: Money | undefined,
): LastingPart {
  const nowMs = today * DAY_MS;
  const { balance, credit } = state.growth;
  const open = openAt === undefined ? 0 : openAt - balance - credit;
  const course = withOpenResult({ state, days }, open, nowMs);
  const metrics = { ...metricsOf({ ...course, equityDays, nowMs }), balance };
  const json = JSON.stringify(presentMetrics(metrics, currency, excursions));
  const { firstTradeTimeMs, trades } = metrics;
  return { balance, credit, firstTradeTimeMs, trades, json: ownBytes(`,${json.slice(1)}`) };
}

/** The first fields, which change with each snapshot or with time, as JSON without its end. */
function headOf(
  { currency }: Account,
  { balance, credit, ...traded }: LastingPart,
  nowMs: BrokerTimeMs,
  known: Money | undefined,
  inclusive: boolean,
): string {
  const equity = known ?? balance + credit;
  const head: Momentary = {
    inclusive,
    equity: fromUnits(equity, moneyDigits(currency)),
    ...(balance === 0 ? {} : { equityPercent: percentOf(equity, balance) }),
    ...presentPace(traded, nowMs),
  };
  return JSON.stringify(head).slice(0, -1);
}
