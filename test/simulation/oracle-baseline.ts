import type { BrokerClock } from '../../src/domain/broker-time.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { Baseline } from '../../src/words/trackers.ts';
import type { DealItem, OracleItem, SnapshotItem } from './oracle-items.ts';
import { fundedStart, type PeriodStart, startOfPeriod } from './oracle-start.ts';
import { baselineCapOf } from './oracle-thresholds.ts';
import { midnightAfter } from './oracle-time.ts';
import type { Stretch } from './oracle-trackers.ts';

const sum = (deals: readonly DealItem[]): number =>
  deals.reduce((total, { money }) => total + money, 0);
const upTo = (deals: readonly DealItem[], order: number): DealItem[] =>
  deals.filter((deal) => deal.order <= order);

/**
 * What one period of a tracker is measured from, from its start or its funding on, each figure
 * computed from the whole feed.
 */
export class OracleBaseline {
  readonly baseline: Baseline;
  readonly trails: boolean;
  readonly start: PeriodStart;
  readonly #definition: TrackerDefinition;
  readonly #stretch: Stretch;
  readonly #inOrder: SnapshotItem[];
  /** Deals that corrected the balance at the start since, and deals taken out of the equity. */
  readonly #corrections: DealItem[];
  readonly #adjustments: DealItem[];
  readonly #dayEnds: { order: number; balance: number }[];
  readonly #peaks: { order: number; amount: number }[] = [];
  /** Moments in which another snapshot than the first raised the peak, and the order of that. */
  readonly #raisedAgain = new Map<number, number>();

  constructor(
    definition: TrackerDefinition,
    calendar: BrokerClock,
    items: readonly OracleItem[],
    stretch: Stretch,
    start = startOfPeriod(items, stretch),
  ) {
    this.#definition = definition;
    this.#stretch = stretch;
    this.start = start;
    this.baseline = definition.baseline ?? 'startBalance';
    this.trails = this.baseline.startsWith('peak');
    this.#inOrder = items.filter((item) => item.kind === 'snapshot').filter(({ late }) => !late);
    const adjusts: readonly string[] = definition.adjustDeals ?? ['DEAL_TYPE_BALANCE'];
    const isBefore = ({ utcMs }: DealItem) => utcMs < stretch.period.startUtcMs;
    this.#corrections = start.news.filter((deal) => isBefore(deal) && !deal.isCredit);
    this.#adjustments = [
      ...start.keptCredits,
      ...start.news.filter((deal) => !isBefore(deal) && adjusts.includes(deal.type)),
    ];
    const endsDays = this.baseline === 'peakEndOfDayBalance';
    this.#dayEnds = endsDays ? this.#passedDayEnds(items, calendar) : [];
    for (const snapshot of this.#inOrder) {
      if (!this.isMeasured(snapshot)) continue;
      const { order, utcMs, again } = snapshot;
      const amount = this.#peakAt(snapshot);
      if (amount === undefined) continue;
      const peak = Math.min(amount, baselineCapOf(definition));
      if (again && peak > this.baselineAt(order)) this.#raisedAgain.set(utcMs, order);
      this.#peaks.push({ order, amount });
    }
  }

  initialAt = (order: number): number =>
    order < this.start.order
      ? Number.NaN
      : this.start.balance + sum(upTo(this.#corrections, order));

  adjustmentAt = (order: number): number => sum(upTo(this.#adjustments, order));

  /** What the equity of a snapshot holds: not what overtook it by another way. */
  adjustmentIn = (snapshot: SnapshotItem): number =>
    sum(upTo(this.#adjustments, snapshot.order).filter((deal) => !overtook(deal, snapshot)));

  adjustedEquity = (snapshot: SnapshotItem): number =>
    snapshot.equity - this.adjustmentIn(snapshot);

  /** Where the period's first baseline stood as of an order: what profit is measured from. */
  profitBaselineAt(order: number): number {
    if (this.baseline === 'startBalance') return this.initialAt(order);
    const { balance, equity } = this.start;
    const { initialCapital } = this.#definition;
    if (this.baseline === 'initialCapital') return initialCapital ?? Number.NaN;
    if (this.baseline === 'startEquity') return equity;
    if (this.baseline === 'maxOfBoth') return Math.max(balance, equity);
    if (this.#definition.period !== 'lifetime') return balance;
    return Math.max(balance, initialCapital ?? balance);
  }

  baselineAt(order: number): number {
    const start = this.profitBaselineAt(order);
    if (!this.trails) return start;
    const peaks = [start];
    for (const deal of upTo(this.#corrections, order)) peaks.push(this.initialAt(deal.order));
    for (const dayEnd of this.#dayEnds) if (dayEnd.order <= order) peaks.push(dayEnd.balance);
    for (const peak of this.#peaks) if (peak.order <= order) peaks.push(peak.amount);
    return Math.min(baselineCapOf(this.#definition), Math.max(...peaks));
  }

  /**
   * Late ones count if nothing that bears on the measure came to be known since they were taken.
   */
  isMeasured({ order, utcMs, late, again }: SnapshotItem): boolean {
    const { period, until } = this.#stretch;
    const { start } = this;
    if (order < start.order || order >= until || utcMs < period.startUtcMs) return false;
    if (!late && !again) return true;
    if ((late && this.trails) || utcMs >= period.endUtcMs) return false;
    if (utcMs < start.measurableFromUtcMs) return false;
    // What came before the peak of the same moment, sent again, must not be measured from it.
    if ((this.#raisedAgain.get(utcMs) ?? Infinity) < order) return false;
    return [...start.settled, ...this.#corrections, ...this.#adjustments]
      .filter((deal) => deal.order > start.settledOrder && deal.order < order)
      .every((deal) => utcMs >= deal.utcMs && utcMs > (deal.lastUtcMs ?? -Infinity));
  }

  /** The baseline from the period's funding on, if it began without money and got some. */
  funded(items: readonly OracleItem[], calendar: BrokerClock): OracleBaseline | undefined {
    const affecting = [...this.#corrections, ...this.#adjustments];
    const start = fundedStart(this, items, this.#stretch, affecting);
    if (!start) return undefined;
    return new OracleBaseline(this.#definition, calendar, items, this.#stretch, start);
  }

  /** What a snapshot raises the peak to; undefined where snapshots don't. */
  #peakAt(snapshot: SnapshotItem): number | undefined {
    if (this.baseline === 'peakEquity') return this.adjustedEquity(snapshot);
    if (this.baseline !== 'peakBalance') return undefined;
    const booked = this.#adjustments.filter(({ isCredit }) => !isCredit);
    const held = upTo(booked, snapshot.order).filter((deal) => !overtook(deal, snapshot));
    return snapshot.balance - sum(held);
  }

  #passedDayEnds(items: readonly OracleItem[], calendar: BrokerClock) {
    const { from, until } = this.#stretch;
    const found: { order: number; balance: number }[] = [];
    let dayEndUtcMs = midnightAfter(items[from]?.utcMs ?? 0, calendar);
    for (const item of items) {
      if (item.order <= from || item.order >= until) continue;
      if (item.kind === 'snapshot' && (item.late || item.again)) continue;
      if (item.utcMs < dayEndUtcMs) continue;
      dayEndUtcMs = midnightAfter(item.utcMs, calendar);
      const before = this.#inOrder.findLast((snapshot) => snapshot.order < item.order);
      if (!before || item.order <= this.start.order) continue;
      const booked = this.#adjustments.filter((deal) => deal.order < item.order && !deal.isCredit);
      const newer = newerDeals(items, item.order).filter((deal) => !deal.isCredit);
      found.push({ order: item.order, balance: before.balance + sum(newer) - sum(booked) });
    }
    return found;
  }
}

/** Deals that came since the last moment seen before an order, and are younger than it. */
export function newerDeals(items: readonly OracleItem[], order: number): DealItem[] {
  const inOrder = items.filter((item) => item.kind === 'snapshot').filter(({ late }) => !late);
  const last = inOrder.findLast((snapshot) => snapshot.order < order);
  const since = inOrder.find(({ utcMs }) => utcMs === last?.utcMs);
  return items
    .filter((item) => item.kind === 'deal')
    .filter((deal) => since && deal.order < order && deal.utcMs > since.utcMs)
    .filter((deal) => since && (deal.order > since.order || overtook(deal, since)));
}

/**
 * Whether a deal is too much newer than a snapshot to be in it: platforms book by coarser clocks.
 */
export const overtook = (deal: DealItem, snapshot: SnapshotItem): boolean =>
  deal.utcMs > snapshot.utcMs + COARSE_CLOCK_MS;
const COARSE_CLOCK_MS = 1000;
