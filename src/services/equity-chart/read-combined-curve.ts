import {
  type CombinedCurveRecord,
  MAX_CURVE_HOURS,
} from '../../contract/operations/equity-curve.ts';
import { DAY_MS, HOUR_MS, parseUtcTime, startOfHour } from '../../domain/broker-time.ts';
import { mergeHours } from '../../domain/live/equity-bucket.ts';
import type { EquityHour } from '../../domain/live/live-records.ts';
import { Exact } from '../../domain/margin/exact.ts';
import {
  type ExchangeRate,
  type PairQuote,
  pairsFor,
  ratesFrom,
} from '../../domain/margin/exchange-rates.ts';
import {
  CombinedCurve,
  type CurveHour,
  type CurveReading,
} from '../../domain/metrics/combined-curve.ts';
import { fromUnits, moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { findHourBefore } from '../../storage/hour-store.ts';
import { findQuote } from '../../storage/quote-store.ts';
import { type Account, accessAccount } from '../accounts/access-account.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { isoTime } from '../present-time.ts';
import { inTurns, LoopSlice } from '../turns.ts';
import { type FreshestHours, freshestHours, hoursWith } from './account-hours.ts';

const DEFAULT_MS = 30 * DAY_MS;
/** Of UTC: a clock's hours may begin within one, and are repeated or skipped where it changes. */
const MARGIN_MS = 2 * HOUR_MS;
const NO_FRESH_HOURS: FreshestHours = {
  pending: { hours: [], corrections: [] },
  running: undefined,
};

export type CurveQuery = {
  accountId: readonly string[];
  currency: string;
  startTime?: string | undefined;
  endTime?: string | undefined;
};

/** Moments of UTC, both the start of an hour. */
type UtcRange = { startMs: number; endMs: number };

/**
 * The curve of accounts together in one currency. Throws `notFound` for an account that the token
 * does not reach, `validation` for a range that is too long.
 */
export async function readCombinedCurve(
  context: Context & { live: LiveReader },
  principal: Principal,
  query: CurveQuery,
): Promise<CombinedCurveRecord> {
  const { currency } = query;
  const nowMs = context.now();
  const range = utcRangeOf(query, nowMs);
  const accounts: Account[] = [];
  for (const id of query.accountId) accounts.push(await accessAccount(context, principal, id));
  const rates = await readRates(context, principal, accounts, currency);
  const leftOut: CombinedCurveRecord['leftOut'] = [];
  const converted = new Set<string>();
  const curve = new CombinedCurve(range.startMs, (range.endMs - range.startMs) / HOUR_MS);
  const fresh = new Map<number, FreshestHours>();
  const numbers = accounts.map(({ number }) => number);
  await context.live.readMany(numbers, (number, view) => fresh.set(number, freshestHours(view)));
  const slice = new LoopSlice();
  for (const account of accounts) {
    if (slice.isOver) await slice.next();
    const accountId = account.id;
    if (!rates.has(account.currency)) {
      leftOut.push({ accountId, reason: 'noRate' });
      continue;
    }
    const newest = fresh.get(account.number) ?? NO_FRESH_HOURS;
    const readings = await readReadings(context, account, newest, range, nowMs);
    if (curve.add(account.currency, readings)) converted.add(account.currency);
    else leftOut.push({ accountId, reason: 'noReadings' });
  }
  const rateOf = (from: string) => rates.get(from)?.rate ?? Exact.ZERO;
  const hours = await inTurns(curve.convert(currency, rateOf));
  return {
    currency,
    hours: hours.map((hour) => presentHour(hour, moneyDigits(currency))),
    rates: [...rates].flatMap(([from, rate]) =>
      converted.has(from) ? presentRate(from, rate) : [],
    ),
    leftOut,
  };
}

/** Up to the running hour, at most MAX_CURVE_HOURS. */
function utcRangeOf({ startTime, endTime }: CurveQuery, nowMs: number): UtcRange {
  const untilMs = parseUtcTime(endTime ?? '') ?? nowMs;
  const endMs = startOfHour(Math.min(untilMs, nowMs) + HOUR_MS - 1);
  const fromMs = parseUtcTime(startTime ?? '') ?? endMs - DEFAULT_MS;
  const startMs = startOfHour(fromMs);
  if (fromMs > untilMs) throw invalidParameter('startTime', 'must not be after endTime');
  if (endMs - startMs > MAX_CURVE_HOURS * HOUR_MS) {
    const message = `must not be more than ${MAX_CURVE_HOURS} hours before endTime`;
    throw invalidParameter('startTime', message);
  }
  return { startMs, endMs: Math.max(startMs, endMs) };
}

/** The rate of each currency that has one, in their order. */
async function readRates(
  { database, now }: Context,
  principal: Principal,
  accounts: readonly Account[],
  to: string,
): Promise<Map<string, ExchangeRate>> {
  const currencies = [...new Set(accounts.map(({ currency }) => currency))].sort();
  const isAlone = currencies.every((currency) => currency === to);
  const quotes: PairQuote[] = [];
  for (const pair of isAlone ? [] : pairsFor(currencies, to)) {
    const quote = await findQuote(database, userOf(principal), pair, principal.accountNumbers);
    if (quote) quotes.push(quote);
  }
  const rateOf = ratesFrom(quotes, now());
  return new Map(
    currencies.flatMap((from) => {
      const rate = rateOf(from, to);
      return rate ? [[from, rate] as const] : [];
    }),
  );
}

/** What an account stood at at the end of its hours of a range, and before it. */
async function readReadings(
  { database, rules }: Context,
  { number, brokerClock }: Account,
  newest: FreshestHours,
  { startMs, endMs }: UtcRange,
  nowMs: number,
): Promise<CurveReading[]> {
  const clock = rules.clocks.viewOf(brokerClock);
  const fromMs = startOfHour(clock.brokerTimeOf(startMs)) - MARGIN_MS;
  // A clock that is ahead of the server's must not hide what it has told.
  const untilMs = endMs < nowMs ? clock.brokerTimeOf(endMs) + MARGIN_MS : undefined;
  const isBefore = (hour: { startTimeMs: number }): boolean => hour.startTimeMs < fromMs;
  const { pending, running } = newest;
  const before = await findHourBefore(database, number, fromMs);
  const hours: EquityHour[] = mergeHours(before ? [before] : [], {
    hours: pending.hours.filter(isBefore),
    corrections: pending.corrections.filter(isBefore),
  });
  if (running && isBefore(running)) hours.push(running);
  for await (const page of hoursWith(database, number, newest, fromMs, untilMs))
    hours.push(...page);
  return hours.map((hour) => {
    const isRunning = hour.startTimeMs === running?.startTimeMs;
    const lastMs = isRunning ? running.timeMs : hour.startTimeMs + HOUR_MS - 1;
    return {
      // Of an hour shown twice the second pass: the last reading may be of that one.
      utcMs: Math.min(clock.utcOf(lastMs, Number.POSITIVE_INFINITY), nowMs),
      balance: hour.lastBalance,
      equity: hour.lastEquity,
    };
  });
}

const presentHour = ({ startUtcMs, balance, equity, ...counts }: CurveHour, digits: number) => ({
  startTime: isoTime(startUtcMs),
  balance: fromUnits(balance, digits),
  equity: fromUnits(equity, digits),
  ...counts,
});

/** Nothing was converted where there are no quotes. */
const presentRate = (
  currency: string,
  { rate, quotes }: ExchangeRate,
): CombinedCurveRecord['rates'] =>
  quotes.length === 0
    ? []
    : [
        {
          currency,
          rate: rate.toNumber(),
          symbols: quotes.map(({ symbol }) => symbol),
          quotedBy: quotes.map(({ accountId }) => accountId),
          quoteTime: isoTime(Math.min(...quotes.map(({ quotedAtMs }) => quotedAtMs))),
        },
      ];
