import { newerDeals, type OracleBaseline } from './oracle-baseline.ts';
import type { DealItem, OracleItem, SnapshotItem } from './oracle-items.ts';
import type { Stretch } from './oracle-trackers.ts';

/** Where the measuring of a period starts: with the period, its first snapshot, or its funding. */
export type PeriodStart = {
  /** From this order on. */
  order: number;
  balance: number;
  equity: number;
  /** Deals that neither balance nor equity at the start contain. */
  news: DealItem[];
  /** Credit that is taken out of the equity, though it came before the start. */
  keptCredits: DealItem[];
  /**
   * A late snapshot counts from this moment on, and if no deal after this order speaks against it.
   */
  measurableFromUtcMs: number;
  settledOrder: number;
  /** Deals that the start settled, but that speak against late snapshots still. */
  settled: DealItem[];
};

const sum = (deals: readonly DealItem[]): number =>
  deals.reduce((total, { money }) => total + money, 0);

const snapshotsOf = (items: readonly OracleItem[]): SnapshotItem[] =>
  items.filter((item) => item.kind === 'snapshot').filter(({ late }) => !late);

const newsSince = (
  items: readonly OracleItem[],
  { until }: Stretch,
  order: number,
  utcMs: number,
): DealItem[] =>
  items
    .filter((item) => item.kind === 'deal')
    .filter((deal) => deal.order > order && deal.order < until && deal.utcMs > utcMs);

/** What was known last when the period was entered; without anything, its first snapshot. */
export function startOfPeriod(items: readonly OracleItem[], stretch: Stretch): PeriodStart {
  const { period, from, until } = stretch;
  const last = snapshotsOf(items).findLast(({ order }) => order < from);
  if (!last) {
    const first = snapshotsOf(items).find(
      ({ order, utcMs, again }) =>
        !again && order >= from && order < until && utcMs >= period.startUtcMs,
    );
    return startAt(first, items, stretch, []);
  }
  const newer = newerDeals(items, from);
  const isHeldBefore = last.utcMs < period.startUtcMs;
  return {
    order: from,
    balance: last.balance + sum(newer.filter((deal) => !deal.isCredit)),
    equity: last.equity + sum(newer.filter((deal) => !deal.isTrade)),
    news: newsSince(items, stretch, from - 1, last.utcMs),
    keptCredits: [],
    measurableFromUtcMs: isHeldBefore ? period.startUtcMs : last.utcMs + 1,
    settledOrder: from - 1,
    settled: [],
  };
}

function startAt(
  snapshot: SnapshotItem | undefined,
  items: readonly OracleItem[],
  stretch: Stretch,
  keptCredits: DealItem[],
): PeriodStart {
  const order = snapshot?.order ?? Infinity;
  const utcMs = snapshot?.utcMs ?? Infinity;
  return {
    order,
    balance: snapshot?.balance ?? Number.NaN,
    equity: (snapshot?.equity ?? Number.NaN) - sum(keptCredits),
    news: newsSince(items, stretch, order, utcMs),
    keptCredits,
    measurableFromUtcMs: utcMs,
    settledOrder: order,
    settled: [],
  };
}

const FUNDING: readonly string[] = ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_BONUS', 'DEAL_TYPE_CORRECTION'];

/**
 * The start anew of a period whose balance at the start is not positive: with each deal that brings
 * money, or takes some; or with the first snapshot whose balance is positive, whatever deals say.
 */
export function fundedStart(
  origin: OracleBaseline,
  items: readonly OracleItem[],
  stretch: Stretch,
  affecting: readonly DealItem[],
): PeriodStart | undefined {
  const { start } = origin;
  const funding = items.find((item) => {
    const { order, utcMs } = item;
    const isIn = order < stretch.until && utcMs >= stretch.period.startUtcMs;
    if (!isIn || !(origin.initialAt(order) <= 0)) return false;
    if (item.kind === 'deal') return start.news.includes(item) && FUNDING.includes(item.type);
    return !item.late && !item.again && item.balance > 0;
  });
  if (!funding) return undefined;
  const { order } = funding;
  const known = affecting.filter((deal) => deal.order < order);
  const keptCredits = known.filter((deal) => deal.isCredit);
  if (funding.kind === 'snapshot') return startAt(funding, items, stretch, keptCredits);
  return {
    ...start,
    order,
    balance: origin.initialAt(order) + funding.money,
    equity: origin.profitBaselineAt(order) + funding.money,
    news: start.news.filter((deal) => deal.order > order),
    keptCredits,
    settled: [...start.settled, ...known, funding],
  };
}
