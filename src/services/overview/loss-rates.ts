import { type CapitalDeal, CapitalFlow, CLOCK_SLACK_MS } from '../../domain/live/capital-flow.ts';
import {
  type LossStart,
  lossPerHour,
  lossStart,
  type Running,
} from '../../domain/live/loss-rate.ts';
import type { Money } from '../../domain/money.ts';
import type { Sql } from '../../storage/database.ts';
import { listCapitalDeals } from '../../storage/deal-store.ts';
import type { HourEnds } from '../../storage/hour-store.ts';
import { readFlow, startReading } from '../equity-chart/read-flow.ts';
import { readingNow, runningOf, type Standing } from './standing.ts';

export type Losing = {
  accountNumber: number;
  standing: Standing;
  /** The newest hours before the running one, in order. */
  hours: readonly HourEnds[];
};

type Measured = { accountNumber: number; running: Running; start: LossStart };

/** Each account's present loss per hour, by number; absent if unknown. */
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
  const sinceMs = Math.min(...measured.map(({ start }) => start.startTimeMs)) - CLOCK_SLACK_MS;
  const numbers = measured.map(({ accountNumber }) => accountNumber);
  const deals = Map.groupBy(
    await listCapitalDeals(sql, numbers, sinceMs),
    ({ accountNumber }) => accountNumber,
  );
  const rates = new Map<number, Money>();
  for (const each of measured)
    rates.set(each.accountNumber, await rateOf(sql, each, deals.get(each.accountNumber) ?? []));
  return rates;
}

async function rateOf(
  sql: Sql,
  { accountNumber, running, start }: Measured,
  capital: readonly CapitalDeal[],
): Promise<Money> {
  const flow = new CapitalFlow(capital);
  flow.next(startReading(start));
  const { money } = await readFlow(sql, accountNumber, flow, readingNow(running));
  return lossPerHour(running, start, money);
}
