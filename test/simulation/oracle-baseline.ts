import type { BrokerClock } from '../../src/domain/broker-time.ts';
import type { Baseline, TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { DealItem, OracleItem, SnapshotItem } from './oracle-items.ts';
import { baselineCapOf } from './oracle-thresholds.ts';
import { calendarOf, midnightAfter } from './oracle-time.ts';
import type { Stretch } from './oracle-trackers.ts';

const MAX_HOLD = 600_000;

const sum = (deals: readonly DealItem[]): number =>
  deals.reduce((total, { money }) => total + money, 0);
const upTo = (deals: readonly DealItem[], order: number): DealItem[] =>
  deals.filter((deal) => deal.order <= order);
export const isCredit = ({ type }: DealItem): boolean => type === 'DEAL_TYPE_CREDIT';
const isTrade = ({ type }: DealItem) => type === 'DEAL_TYPE_BUY' || type === 'DEAL_TYPE_SELL';

/** What one period of a tracker is measured from, each figure computed from the whole feed. */
export class OracleBaseline {
  readonly baseline: Baseline;
  readonly trails: boolean;
  readonly deals: DealItem[];
  readonly #definition: TrackerDefinition;
  readonly #stretch: Stretch;
  readonly #inOrder: SnapshotItem[];
  /** The newest snapshot before the period was entered, and the first in it. */
  readonly #last: SnapshotItem | undefined;
  readonly #first: SnapshotItem | undefined;
  readonly #startsAtFirst: boolean;
  readonly #startOrder: number;
  readonly #startEquity: number;
  /** Balance when the period was entered, deals that corrected it since, deals taken out. */
  readonly #entryBalance: number;
  readonly #corrections: DealItem[];
  readonly #adjustments: DealItem[];
  readonly #dayEnds: { order: number; balance: number }[];
  readonly #peaks: { order: number; equity: number }[] = [];
  /** Moments in which another snapshot than the first raised the peak, and the order of that. */
  readonly #raisedAgain = new Map<number, number>();

  constructor(
    definition: TrackerDefinition,
    clock: BrokerClock,
    items: readonly OracleItem[],
    stretch: Stretch,
  ) {
    const { period, from, until } = stretch;
    this.#definition = definition;
    this.#stretch = stretch;
    this.baseline = definition.baseline ?? 'startBalance';
    this.trails = this.baseline === 'peakEquity' || this.baseline === 'peakEndOfDayBalance';
    this.deals = items.filter((item) => item.kind === 'deal');
    this.#inOrder = items.filter((item) => item.kind === 'snapshot').filter(({ late }) => !late);
    const last = this.#lastBefore(from);
    const first = this.#inOrder.find(
      ({ order, utcMs, again }) =>
        !again && order >= from && order < until && utcMs >= period.startUtcMs,
    );
    this.#last = last;
    this.#first = first;
    const newer = this.#newerDeals(from);
    this.#entryBalance = last
      ? last.balance + sum(newer.filter((deal) => !isCredit(deal)))
      : (first?.balance ?? Number.NaN);
    const basisUtcMs = last?.utcMs ?? first?.utcMs ?? Infinity;
    const basisOrder = last ? from - 1 : (first?.order ?? Infinity);
    const affecting = this.deals.filter(
      ({ order, utcMs }) => order > basisOrder && order < until && utcMs > basisUtcMs,
    );
    const adjusts: readonly string[] = definition.adjustDeals ?? ['DEAL_TYPE_BALANCE'];
    const isBefore = ({ utcMs }: DealItem) => utcMs < period.startUtcMs;
    this.#corrections = affecting.filter((deal) => isBefore(deal) && !isCredit(deal));
    this.#adjustments = affecting.filter((deal) => !isBefore(deal) && adjusts.includes(deal.type));
    const entryUtcMs = items[from]?.utcMs ?? Infinity;
    const isHeld = last !== undefined && entryUtcMs - last.utcMs <= MAX_HOLD;
    const needsEquity = this.baseline === 'startEquity' || this.baseline === 'maxOfBoth';
    this.#startsAtFirst = last === undefined || (needsEquity && !isHeld);
    this.#startOrder = this.#startsAtFirst ? (first?.order ?? Infinity) : from;
    this.#startEquity = isHeld
      ? last.equity + sum(newer.filter((deal) => !isTrade(deal)))
      : first
        ? this.adjustedEquity(first)
        : Number.NaN;
    const endsDays = this.baseline === 'peakEndOfDayBalance';
    this.#dayEnds = endsDays ? this.#passedDayEnds(items, clock) : [];
    for (const snapshot of this.#inOrder) {
      if (!this.isMeasured(snapshot)) continue;
      const { order, utcMs, again } = snapshot;
      const equity = this.adjustedEquity(snapshot);
      const peak = Math.min(equity, baselineCapOf(definition));
      if (again && this.baseline === 'peakEquity' && peak > this.baselineAt(order)) {
        this.#raisedAgain.set(utcMs, order);
      }
      this.#peaks.push({ order, equity });
    }
  }

  initialAt = (order: number): number => this.#entryBalance + sum(upTo(this.#corrections, order));

  adjustmentAt = (order: number): number => sum(upTo(this.#adjustments, order));

  adjustedEquity = ({ equity, order }: SnapshotItem): number => equity - this.adjustmentAt(order);

  /** Where the period's first baseline stood as of an order: what profit is measured from. */
  profitBaselineAt(order: number): number {
    if (this.baseline === 'startBalance') return this.initialAt(order);
    const initial = this.initialAt(this.#startOrder);
    const { initialCapital } = this.#definition;
    if (this.baseline === 'initialCapital') return initialCapital ?? Number.NaN;
    if (this.baseline === 'startEquity') return this.#startEquity;
    if (this.baseline === 'maxOfBoth') return Math.max(initial, this.#startEquity);
    return Math.max(initial, initialCapital ?? initial);
  }

  baselineAt(order: number): number {
    const start = this.profitBaselineAt(order);
    if (!this.trails) return start;
    const peaks = [start];
    for (const deal of upTo(this.#corrections, order)) peaks.push(this.initialAt(deal.order));
    for (const dayEnd of this.#dayEnds) if (dayEnd.order <= order) peaks.push(dayEnd.balance);
    if (this.baseline === 'peakEquity') {
      for (const peak of this.#peaks) if (peak.order <= order) peaks.push(peak.equity);
    }
    return Math.min(baselineCapOf(this.#definition), Math.max(...peaks));
  }

  /** Late ones count if nothing that bears on the measure came to be known since they were taken. */
  isMeasured({ order, utcMs, late, again }: SnapshotItem): boolean {
    const { period, from, until } = this.#stretch;
    if (order < from || order >= until || utcMs < period.startUtcMs) return false;
    if (!late && !again) return true;
    if ((late && this.trails) || utcMs >= period.endUtcMs || order < this.#startOrder) return false;
    if (utcMs < this.#measurableFromUtcMs()) return false;
    // What came before the peak of the same moment, sent again, must not be measured from it.
    if ((this.#raisedAgain.get(utcMs) ?? Infinity) < order) return false;
    const sinceOrder = this.#startOrder - (this.#startsAtFirst ? 0 : 1);
    return [...this.#corrections, ...this.#adjustments]
      .filter((deal) => deal.order > sinceOrder && deal.order < order)
      .every((deal) => utcMs >= deal.utcMs && utcMs > (deal.lastUtcMs ?? -Infinity));
  }

  #measurableFromUtcMs(): number {
    const { startUtcMs } = this.#stretch.period;
    if (this.#startsAtFirst) return this.#first?.utcMs ?? Infinity;
    return this.#last && this.#last.utcMs >= startUtcMs ? this.#last.utcMs + 1 : startUtcMs;
  }

  #lastBefore(order: number): SnapshotItem | undefined {
    return this.#inOrder.findLast((snapshot) => snapshot.order < order);
  }

  /** Deals that came since the last moment seen, and are younger than it. */
  #newerDeals(order: number): DealItem[] {
    const last = this.#lastBefore(order);
    const since = this.#inOrder.find(({ utcMs }) => utcMs === last?.utcMs);
    return this.deals.filter(
      (deal) => since && deal.order > since.order && deal.order < order && deal.utcMs > since.utcMs,
    );
  }

  #passedDayEnds(items: readonly OracleItem[], clock: BrokerClock) {
    const { from, until } = this.#stretch;
    const found: { order: number; balance: number }[] = [];
    const calendar = calendarOf(this.#definition, clock);
    let dayEndUtcMs = midnightAfter(items[from]?.utcMs ?? 0, calendar);
    for (const item of items) {
      if (item.order <= from || item.order >= until) continue;
      if (item.kind === 'snapshot' && (item.late || item.again)) continue;
      if (item.utcMs < dayEndUtcMs) continue;
      dayEndUtcMs = midnightAfter(item.utcMs, calendar);
      const before = this.#lastBefore(item.order);
      if (!before || item.order <= this.#startOrder) continue;
      const booked = this.#adjustments.filter((deal) => deal.order < item.order && !isCredit(deal));
      const newer = this.#newerDeals(item.order).filter((deal) => !isCredit(deal));
      found.push({ order: item.order, balance: before.balance + sum(newer) - sum(booked) });
    }
    return found;
  }
}
