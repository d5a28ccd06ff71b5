import { MAX_GROWTH_DAYS } from '../../contract/operations/metrics.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import { CapitalFlow } from '../../domain/live/capital-flow.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import { bookedBefore, type EquityDay } from '../../domain/metrics/daily-returns.ts';
import type { GrowthDay } from '../../domain/metrics/growth-day.ts';
import { createMetricsState, type MetricsState } from '../../domain/metrics/metrics-state.ts';
import { decodeMetricsState } from '../../domain/metrics/metrics-state-codec.ts';
import type { Sql } from '../../storage/database.ts';
import { listCapitalDeals } from '../../storage/deal-store.ts';
import { dayBeforeNewest, readGrowthDays } from '../../storage/growth-day-store.ts';
import { readFoldTexts } from '../../storage/history-store.ts';
import { type HourEnds, readHoursRange, readLastHours } from '../../storage/hour-store.ts';
import { lastReading, readFlow } from '../equity-chart/read-flow.ts';
import { LoopSlice } from '../turns.ts';

const DAYS_PER_READ = 1000;
/** Some thousand hours: reading them in one statement blocks no other work for long. */
const EQUITY_DAYS_PER_READ = 100;

/** All data for the statistics of an account. */
export type MetricsSource = { state: MetricsState; days: GrowthDay[]; equityDays: EquityDay[] };

/**
 * Reads it in turns with other work. The result is useless if the trades change during the read.
 */
export async function readMetricsSource(sql: Sql, accountNumber: number): Promise<MetricsSource> {
  const texts = await readFoldTexts(sql, accountNumber);
  const days = await readDays(sql, accountNumber);
  return {
    state: texts ? decodeMetricsState(texts.metricsState) : createMetricsState(),
    days,
    equityDays: await readEquityDays(sql, accountNumber, days),
  };
}

async function readDays(sql: Sql, accountNumber: number): Promise<GrowthDay[]> {
  const days: GrowthDay[] = [];
  const before = await dayBeforeNewest(sql, accountNumber, MAX_GROWTH_DAYS);
  let after = before ?? Number.MIN_SAFE_INTEGER;
  for (;;) {
    const read = await readGrowthDays(sql, accountNumber, after, DAYS_PER_READ);
    days.push(...read);
    const last = read.at(-1);
    if (!last || read.length < DAYS_PER_READ) return days;
    after = last.day;
    await nextTurn();
  }
}

/** The equity at the ends of the newest days with closed hours. */
async function readEquityDays(
  sql: Sql,
  accountNumber: number,
  days: readonly GrowthDay[],
): Promise<EquityDay[]> {
  const [first, ...others] = await readHoursAtDayEnds(sql, accountNumber);
  if (!first) return [];
  const firstDayMs = Math.floor(first.startTimeMs / DAY_MS) * DAY_MS;
  const capital = await listCapitalDeals(sql, [accountNumber], firstDayMs - DAY_MS);
  const flow = new CapitalFlow(capital);
  const booked = bookedBefore(days, firstDayMs / DAY_MS);
  flow.next({ fromMs: firstDayMs, toMs: firstDayMs, ...booked });
  const found: EquityDay[] = [];
  for (const hour of [first, ...others]) {
    const { money: transfers } = await readFlow(sql, accountNumber, flow, lastReading(hour));
    const day = Math.floor(hour.startTimeMs / DAY_MS);
    found.push({ day, equity: hour.lastEquity, transfers });
  }
  return found;
}

async function readHoursAtDayEnds(sql: Sql, accountNumber: number): Promise<HourEnds[]> {
  const range = await readHoursRange(sql, accountNumber);
  if (!range) return [];
  const found: HourEnds[] = [];
  const slice = new LoopSlice();
  const oldestMs = Math.floor(range.lastMs / DAY_MS - MAX_GROWTH_DAYS) * DAY_MS;
  const step = EQUITY_DAYS_PER_READ * DAY_MS;
  let fromMs = Math.max(Math.floor(range.firstMs / DAY_MS) * DAY_MS, oldestMs);
  for (; fromMs <= range.lastMs; fromMs += step) {
    found.push(...(await readLastHours(sql, accountNumber, fromMs, fromMs + step)));
    if (slice.isOver) await slice.next();
  }
  return found;
}
