import type { BrokerClock } from '../../src/domain/broker-time.ts';
import type { DealType } from '../../src/words/deals.ts';
import { utcInCourse } from './oracle-time.ts';
import { type FeedBatch, liveDealOfWire, moneyOfWire, timeOfWire, type WireDeal } from './wire.ts';

/** A snapshot that counted; `late` ones are older than an `order`ly earlier one. */
export type SnapshotItem = {
  kind: 'snapshot';
  order: number;
  timeMs: number;
  utcMs: number;
  balance: number;
  equity: number;
  late: boolean;
  /** Of the same moment as the one before it, without a deal that is new. */
  again: boolean;
};

export type DealItem = {
  kind: 'deal';
  order: number;
  timeMs: number;
  utcMs: number;
  type: DealType;
  isCredit: boolean;
  isTrade: boolean;
  money: number;
  /** UTC of the newest snapshot when the deal came. */
  lastUtcMs: number | undefined;
};

export type OracleItem = SnapshotItem | DealItem;

const DAY = 86_400_000;

const byTime = (a: WireDeal, b: WireDeal): number =>
  timeOfWire(a.brokerTime) - timeOfWire(b.brokerTime) || (a.id < b.id ? -1 : 1);

/**
 * All that counts of an account's feed, in the order of receipt, deals before their snapshot. Deals
 * that came together count in the order of their times, however they are listed.
 */
export function oracleItems(
  batches: readonly FeedBatch[],
  accountId: string,
  clock: BrokerClock,
): OracleItem[] {
  const items: OracleItem[] = [];
  const seen = new Set<string>();
  let last: SnapshotItem | undefined;
  const addDeals = (deals: readonly WireDeal[], not?: { timeMs: number; utcMs: number }) => {
    for (const wire of deals.toSorted(byTime)) {
      if (seen.has(wire.id)) continue;
      seen.add(wire.id);
      const { timeMs, type, money } = liveDealOfWire(wire);
      const own = { timeMs, utcMs: utcInCourse(timeMs, last?.utcMs, clock) };
      const at = not && not.utcMs <= own.utcMs ? not : own;
      const lastUtcMs = last?.utcMs;
      const isCredit = type === 'DEAL_TYPE_CREDIT';
      const isTrade = type === 'DEAL_TYPE_BUY' || type === 'DEAL_TYPE_SELL';
      const kinds = { type, isCredit, isTrade };
      items.push({ kind: 'deal', order: items.length, ...at, ...kinds, money, lastUtcMs });
    }
  };
  for (const batch of batches) {
    if (batch.kind === 'deals') {
      if (batch.accountId === accountId) addDeals(batch.deals);
      continue;
    }
    for (const wire of batch.snapshots) {
      if (wire.accountId !== accountId) continue;
      const timeMs = timeOfWire(wire.brokerTime);
      const utcMs = utcInCourse(timeMs, last?.utcMs, clock);
      if (utcMs > batch.receivedUtcMs + DAY) continue;
      const known = items.length;
      addDeals(wire.deals ?? [], { timeMs, utcMs });
      const [balance, equity] = [moneyOfWire(wire.balance), moneyOfWire(wire.equity)];
      const isSame = last?.utcMs === utcMs && last.balance === balance && last.equity === equity;
      if (isSame) continue;
      const again = last?.utcMs === utcMs && items.length === known;
      const late = last !== undefined && utcMs < last.utcMs;
      const order = items.length;
      const item = {
        kind: 'snapshot' as const,
        order,
        timeMs,
        utcMs,
        balance,
        equity,
        late,
        again,
      };
      items.push(item);
      if (!late) last = item;
    }
  }
  return items;
}
