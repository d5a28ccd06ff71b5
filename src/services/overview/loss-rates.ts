import { lossPerHour, lossStart, type Running } from '../../domain/live/loss-rate.ts';
import type { Money } from '../../domain/money.ts';
import type { Sql } from '../../storage/database.ts';
import { listCapitalDeals } from '../../storage/deal-store.ts';
import type { HourEquity } from '../../storage/hour-store.ts';
import type { Standing } from './standing.ts';

export type Losing = {
  accountNumber: number;
  standing: Standing;
  /** The newest hours before the running one, in order. */
  hours: readonly HourEquity[];
};

/** What each account loses an hour at present, by its number; absent where that is not known. */
export async function readLossRates(
  sql: Sql,
  accounts: readonly Losing[],
): Promise<Map<number, Money>> {
  const measured = accounts.flatMap(({ accountNumber, standing, hours }) => {
    const running = runningOf(standing);
    const hourBefore = running && hours.findLast((hour) => hour.startTimeMs < running.hourStartMs);
    const start = running && lossStart(running, hourBefore);
    return start ? [{ accountNumber, running, start }] : [];
  });
  if (measured.length === 0) return new Map();
  const sinceMs = Math.min(...measured.map(({ start }) => start.timeMs));
  const numbers = measured.map(({ accountNumber }) => accountNumber);
  const deals = await listCapitalDeals(sql, numbers, sinceMs);
  return new Map(
    measured.map(({ accountNumber, running, start }) => {
      const transfers = deals
        .filter((deal) => deal.accountNumber === accountNumber)
        .filter(({ timeMs }) => timeMs >= start.timeMs && timeMs <= running.lastTimeMs)
        .reduce((sum, { money }) => sum + money, 0);
      return [accountNumber, lossPerHour(running, start, transfers)];
    }),
  );
}

function runningOf({
  lastTimeMs,
  equity,
  hourStartMs,
  hourStartEquity,
}: Standing): Running | undefined {
  if (lastTimeMs === undefined || equity === undefined) return undefined;
  if (hourStartMs === undefined || hourStartEquity === undefined) return undefined;
  return { lastTimeMs, equity, hourStartMs, hourStartEquity };
}
