import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Desk, Moment } from './desk.ts';

/* Plimsoll's expected answers about an account, computed only from the actions of its desk. */
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** How long a value is held across the end of an hour. */
const MAX_HOLD_MS = 600_000;

export type Hour = {
  startBrokerTime: string;
  averageBalance: number;
  averageEquity: number;
  minEquity: number;
  maxEquity: number;
  minBalance: number;
  maxBalance: number;
  startBalance: number;
  startEquity: number;
  lastBalance: number;
  lastEquity: number;
};

type Piece = { hourMs: number; held: Moment; forMs: number };

const hourOf = (moment: Moment): number => Math.floor(moment.timeMs / HOUR_MS) * HOUR_MS;
const cents = (value: number): number => value / 100;

export function expectedHours(moments: readonly Moment[]): Hour[] {
  const pieces = moments.flatMap((held, index) => piecesOf(held, moments[index + 1]));
  const byHour = Map.groupBy(moments, hourOf);
  return [...byHour].map(([hourMs, own]) => {
    const ofHour = pieces.filter((piece) => piece.hourMs === hourMs);
    const seen = [...own, ...ofHour.map(({ held }) => held)];
    const balances = seen.map(({ balance }) => balance);
    const equities = seen.map(({ equity }) => equity);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) throw new RangeError('An hour without moments');
    return {
      startBrokerTime: formatBrokerTime(hourMs),
      averageBalance: cents(average(ofHour, ({ balance }) => balance, last)),
      averageEquity: cents(average(ofHour, ({ equity }) => equity, last)),
      minBalance: cents(Math.min(...balances)),
      maxBalance: cents(Math.max(...balances)),
      minEquity: cents(Math.min(...equities)),
      maxEquity: cents(Math.max(...equities)),
      startBalance: cents(first.balance),
      startEquity: cents(first.equity),
      lastBalance: cents(last.balance),
      lastEquity: cents(last.equity),
    };
  });
}

/** A value is held until the next moment, over the end of an hour for ten minutes at most. */
function piecesOf(held: Moment, next: Moment | undefined): Piece[] {
  if (!next) return [];
  const forMs = next.utcMs - held.utcMs;
  if (hourOf(held) === hourOf(next)) return [{ hourMs: hourOf(held), held, forMs }];
  if (forMs > MAX_HOLD_MS) return [];
  const inNextMs = next.timeMs - hourOf(next);
  return [
    { hourMs: hourOf(held), held, forMs: forMs - inNextMs },
    { hourMs: hourOf(next), held, forMs: inNextMs },
  ];
}

function average(
  pieces: readonly Piece[],
  amountOf: (moment: Moment) => number,
  last: Moment,
): number {
  const durationMs = pieces.reduce((sum, { forMs }) => sum + forMs, 0);
  if (durationMs === 0) return amountOf(last);
  return pieces.reduce((sum, { held, forMs }) => sum + amountOf(held) * forMs, 0) / durationMs;
}

export type Breach = { startBrokerTime: string; brokerTime: string; absoluteDrawdown: number };

/**
 * Drawdowns of more than a part of the balance at the start of a date, one a date. The first date
 * is left out, since its balance at the start is not known.
 */
export function expectedBreaches(
  { moments, transfers, bookings }: Pick<Desk, 'moments' | 'transfers' | 'bookings'>,
  part: number,
): Breach[] {
  const dateOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS) * DAY_MS;
  const byDate = [...Map.groupBy(moments, ({ timeMs }) => dateOf(timeMs))];
  const placeOf = new Map(moments.map((moment, index) => [moment, index]));
  return byDate.slice(1).flatMap(([dateMs, own]) => {
    // Of the day before, though a reading of this day was the first to show it.
    const start = bookings
      .filter(({ timeMs }) => timeMs < dateMs)
      .reduce((sum, booking) => sum + booking.amount, 0);
    const drawdownAt = (moment: Moment): number => {
      const known = transfers.filter(
        ({ timeMs, seenFrom }) => timeMs >= dateMs && seenFrom <= (placeOf.get(moment) ?? 0),
      );
      const transferred = known.reduce((sum, transfer) => sum + transfer.amount, 0);
      return start - (moment.equity - transferred);
    };
    const breach = own.find((moment) => drawdownAt(moment) > start * part);
    if (!breach) return [];
    return {
      startBrokerTime: formatBrokerTime(dateMs),
      brokerTime: formatBrokerTime(breach.timeMs),
      absoluteDrawdown: cents(drawdownAt(breach)),
    };
  });
}
