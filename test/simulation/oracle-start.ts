import type { OracleBaseline } from './oracle-baseline.ts';
import type { DealItem, OracleItem, SnapshotItem } from './oracle-items.ts';
import type { Stretch } from './oracle-trackers.ts';

/** Where the measuring of a period starts: with the period, its first snapshot, or its funding. */
export type PeriodStart = {
  /** From this order on. */
  order: number;
  balance: number;
  equity: number;
  /** Deals of before the period that the start holds, and a snapshot of the period does not yet. */
  owed: DealItem[];
  /** Deals of the period that neither balance nor equity at the start contain. */
  news: DealItem[];
  /** Credit that is taken out of the equity, though it came before the start. */
  keptCredit: number;
};

export const moneyOf = (deals: readonly DealItem[]): number =>
  deals.reduce((total, { money }) => total + money, 0);

export const bookedOf = (deals: readonly DealItem[]): number =>
  moneyOf(deals.filter(({ isCredit }) => !isCredit));

/** Effect of deals on the equity; the money of trades is in it before. */
export const fundsOf = (deals: readonly DealItem[]): number =>
  moneyOf(deals.filter(({ isTrade }) => !isTrade));

/**
 * What the platform's ledger held at the start: the snapshot before it, and all deals of before the
 * start that this snapshot does not include. Without such a snapshot, the first of the period.
 */
export function startOfPeriod(items: readonly OracleItem[], stretch: Stretch): PeriodStart {
  const { period, from, until } = stretch;
  const snapshots = items.filter((item) => item.kind === 'snapshot');
  const last = snapshots.findLast(({ order }) => order < from);
  if (!last) {
    const first = snapshots.find(({ order }) => order >= from && order < until);
    return startAt(first, items, stretch, 0);
  }
  const deals = items.filter((item) => item.kind === 'deal');
  const open = deals.filter(({ snapshotOrder }) => snapshotOrder > last.order);
  const before = open.filter(({ endUtcMs }) => endUtcMs < period.startUtcMs);
  return {
    order: from,
    balance: last.balance + bookedOf(before),
    equity: last.equity + fundsOf(before),
    owed: before.filter(({ order }) => order > from),
    news: open.filter(({ endUtcMs, order }) => endUtcMs >= period.startUtcMs && order < until),
    keptCredit: 0,
  };
}

function startAt(
  snapshot: SnapshotItem | undefined,
  items: readonly OracleItem[],
  { until }: Stretch,
  keptCredit: number,
): PeriodStart {
  const order = snapshot?.order ?? Infinity;
  return {
    order,
    balance: snapshot?.balance ?? Number.NaN,
    equity: (snapshot?.equity ?? Number.NaN) - keptCredit,
    owed: [],
    news: items
      .filter((item) => item.kind === 'deal')
      .filter((deal) => deal.order > order && deal.order < until),
    keptCredit,
  };
}

const FUNDING: readonly string[] = ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_BONUS', 'DEAL_TYPE_CORRECTION'];

/**
 * Restarts of a period whose balance at the start is not positive: with each deal that brings
 * money, or takes some; or with the first snapshot whose balance is positive, whatever deals say.
 */
export function fundedStart(
  origin: OracleBaseline,
  items: readonly OracleItem[],
  stretch: Stretch,
): PeriodStart | undefined {
  const { start } = origin;
  if (!(start.balance <= 0)) return undefined;
  const funding = items.find((item) => {
    if (item.order < start.order || item.order >= stretch.until) return false;
    if (item.kind === 'deal') return start.news.includes(item) && FUNDING.includes(item.type);
    return item.balance > 0;
  });
  if (!funding) return undefined;
  const { order } = funding;
  if (funding.kind === 'snapshot') {
    return startAt(funding, items, stretch, origin.creditAt(order));
  }
  return {
    ...start,
    order,
    balance: start.balance + funding.money,
    equity: start.equity + funding.money,
    news: start.news.filter((deal) => deal !== funding),
  };
}
