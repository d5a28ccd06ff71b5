import { HOUR_MS } from '../../domain/broker-time.ts';
import {
  type CapitalFlow,
  type Flow,
  MAX_BOOKINGS,
  type Reading,
} from '../../domain/live/capital-flow.ts';
import type { Sql } from '../../storage/database.ts';
import { listTradeBookings } from '../../storage/deal-store.ts';
import type { HourEnds } from '../../storage/hour-store.ts';

/** The capital that a reading is the first to show; reads the trades needed for this, if any. */
export async function readFlow(
  sql: Sql,
  accountNumber: number,
  flow: CapitalFlow,
  reading: Reading,
): Promise<Flow> {
  const range = flow.needs(reading);
  if (!range) return flow.next(reading);
  const trades = await listTradeBookings(sql, accountNumber, range, MAX_BOOKINGS + 1);
  return flow.next(reading, trades);
}

/** The first snapshot of an hour. */
export const startReading = (
  hour: Pick<HourEnds, 'startTimeMs' | 'startBalance' | 'startEquity'>,
): Reading => ({
  ...within(hour),
  ...{ balance: hour.startBalance, equity: hour.startEquity },
});

/** The last snapshot of an hour. */
export const lastReading = (hour: HourEnds): Reading => ({
  ...within(hour),
  ...{ balance: hour.lastBalance, equity: hour.lastEquity },
});

const within = ({ startTimeMs }: Pick<HourEnds, 'startTimeMs'>) => ({
  ...{ fromMs: startTimeMs, toMs: startTimeMs + HOUR_MS },
});
