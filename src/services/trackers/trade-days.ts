import { type BrokerTimeMs, DAY_MS } from '../../domain/broker-time.ts';
import { CREDIT_TYPES } from '../../domain/deal.ts';
import type { PeriodStatistics } from '../../domain/live/live-records.ts';
import type { Sql } from '../../storage/database.ts';
import { listDaysWithDeals } from '../../storage/deal-store.ts';
import { LoopSlice } from '../turns.ts';

/** Deals that do not make a trading day. */
const NO_TRADING = ['DEAL_TYPE_BALANCE', ...CREDIT_TYPES] as const;
/** One read blocks the process for some milliseconds. */
const DAYS_PER_READ = 100;

/**
 * Periods with their trade days recounted from the stored deals: some deals may have come after
 * their period was over, and the fold counts only in the running one.
 * @param untilMs the time of the newest data
 */
export async function withTradeDays(
  sql: Sql,
  accountNumber: number,
  periods: readonly PeriodStatistics[],
  untilMs: BrokerTimeMs,
): Promise<PeriodStatistics[]> {
  const counted: PeriodStatistics[] = [];
  const slice = new LoopSlice();
  for (const period of periods) {
    const { startTimeMs, endTimeMs = untilMs } = period;
    const lastMs = Math.min(endTimeMs, untilMs);
    const days = new Set<number>();
    for (let startMs = startTimeMs; startMs <= lastMs; startMs += DAYS_PER_READ * DAY_MS) {
      const endMs = Math.min(lastMs, startMs + DAYS_PER_READ * DAY_MS - 1);
      const read = await listDaysWithDeals(sql, accountNumber, startMs, endMs, NO_TRADING);
      for (const day of read) days.add(day);
      if (slice.isOver) await slice.next();
    }
    counted.push({ ...period, tradeDayCount: days.size });
  }
  return counted;
}
