import { type BrokerClock, DAY_MS } from '../../src/domain/broker-time.ts';
import type { LiveDeal } from '../../src/domain/live/live-records.ts';
import type { DealType } from '../../src/words/deals.ts';
import { placesOf } from './oracle-placement.ts';
import { utcInCourse } from './oracle-time.ts';
import { type FeedBatch, liveDealOfWire, moneyOfWire, timeOfWire } from './wire.ts';

export type SnapshotItem = {
  kind: 'snapshot';
  order: number;
  timeMs: number;
  utcMs: number;
  balance: number;
  equity: number;
};

/** A deal as it was booked; one in whole seconds may be from any moment of its second. */
export type OracleDeal = {
  id: string;
  ownTimeMs: number;
  ownUtcMs: number;
  endUtcMs: number;
  type: DealType;
  isCredit: boolean;
  isTrade: boolean;
  money: number;
};

export type DealItem = OracleDeal & {
  kind: 'deal';
  order: number;
  /** Its own time, or that of the snapshot that is the first to include it, if that is earlier. */
  timeMs: number;
  utcMs: number;
  /** Of the snapshot that is the first to include it; Infinity if none does yet. */
  snapshotOrder: number;
  /** Whether something that waits for a moment may begin with it. */
  mayBegin: boolean;
};

export type OracleItem = SnapshotItem | DealItem;

/**
 * All relevant items of an account's feed, in the order in which it happened: each snapshot after
 * the deals that it is the first to include. When something arrived matters in one respect: a time
 * that the clock shows twice is of the pass that the account was in by then.
 */
export function oracleItems(
  batches: readonly FeedBatch[],
  accountId: string,
  clock: BrokerClock,
): OracleItem[] {
  return itemsOf(arrivalsOf(batches, accountId), clock);
}

/** An account's items in the order of arrival. */
export type Arrival = { deals: readonly LiveDeal[]; reading?: State };
type State = { timeMs: number; balance: number; equity: number };

/** All items in the order of arrival. */
export function itemsOf(arrivals: Iterable<Arrival>, clock: BrokerClock): OracleItem[] {
  const { deals, readings } = factsOf(arrivals, clock);
  const places = placesOf(deals, readings);
  const items: OracleItem[] = [];
  for (let place = 0; place <= readings.length; place += 1) {
    const own = deals.filter((_, index) => places[index] === place);
    const [before, reading] = [readings[place - 1], readings[place]];
    const snapshotOrder = reading ? items.length + own.length : Infinity;
    for (const deal of own) {
      const { ownTimeMs: timeMs, ownUtcMs: utcMs } = deal;
      const at = reading && reading.utcMs < utcMs ? reading : { timeMs, utcMs };
      const isOfItsDay = !!reading && dayOf(timeMs) === dayOf(reading.timeMs);
      items.push({
        ...{ ...deal, kind: 'deal', order: items.length, timeMs: at.timeMs, utcMs: at.utcMs },
        snapshotOrder,
        mayBegin: reading !== undefined && (before !== undefined || isOfItsDay),
      });
    }
    if (reading) items.push({ ...reading, order: items.length });
  }
  return items;
}

/** Those of an account, in the order of arrival. */
export function* arrivalsOf(batches: readonly FeedBatch[], accountId: string): Generator<Arrival> {
  for (const batch of batches) {
    if (batch.kind === 'deals') {
      if (batch.accountId === accountId) yield { deals: batch.deals.map(liveDealOfWire) };
      continue;
    }
    for (const wire of batch.snapshots) {
      const timeMs = timeOfWire(wire.brokerTime);
      // More than a day ahead of any clock: refused.
      if (wire.accountId !== accountId || timeMs > batch.receivedUtcMs + 10 * DAY_MS) continue;
      const reading = {
        ...{ timeMs, balance: moneyOfWire(wire.balance), equity: moneyOfWire(wire.equity) },
      };
      yield { deals: (wire.deals ?? []).map(liveDealOfWire), reading };
    }
  }
}

/** Each fact once, in the order of its own time. */
function factsOf(arrivals: Iterable<Arrival>, clock: BrokerClock) {
  const deals = new Map<string, OracleDeal>();
  const readings: SnapshotItem[] = [];
  let lastUtcMs: number | undefined;
  for (const arrival of arrivals) {
    for (const { id, timeMs: ownTimeMs, type, money } of arrival.deals) {
      if (deals.has(id)) continue;
      const ownUtcMs = utcInCourse(ownTimeMs, lastUtcMs, clock);
      const endUtcMs = ownTimeMs % 1000 === 0 ? ownUtcMs + 999 : ownUtcMs;
      const isCredit = type === 'DEAL_TYPE_CREDIT';
      const isTrade = type === 'DEAL_TYPE_BUY' || type === 'DEAL_TYPE_SELL';
      deals.set(id, { id, ownTimeMs, ownUtcMs, endUtcMs, type, isCredit, isTrade, money });
    }
    if (!arrival.reading) continue;
    const { timeMs, balance, equity } = arrival.reading;
    const utcMs = utcInCourse(timeMs, lastUtcMs, clock);
    const isKnown = readings.some(
      (one) => one.utcMs === utcMs && one.balance === balance && one.equity === equity,
    );
    if (isKnown) continue;
    if (lastUtcMs !== undefined && utcMs < lastUtcMs) {
      throw new RangeError(`A snapshot of ${timeMs} is late: not all is known of it`);
    }
    readings.push({ kind: 'snapshot', order: 0, timeMs, utcMs, balance, equity });
    lastUtcMs = utcMs;
  }
  return { deals: [...deals.values()].sort(inOrder), readings };
}

const inOrder = (a: OracleDeal, b: OracleDeal): number =>
  a.ownUtcMs - b.ownUtcMs || a.ownTimeMs - b.ownTimeMs || (a.id < b.id ? -1 : 1);

const dayOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS);
