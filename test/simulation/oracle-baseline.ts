import type { BrokerClock } from '../../src/domain/broker-time.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { Baseline } from '../../src/words/trackers.ts';
import type { DealItem, OracleItem, SnapshotItem } from './oracle-items.ts';
import {
  bookedOf,
  fundedStart,
  fundsOf,
  moneyOf,
  type PeriodStart,
  startOfPeriod,
} from './oracle-start.ts';
import { baselineCapOf } from './oracle-thresholds.ts';
import { midnightAfter } from './oracle-time.ts';
import type { Stretch } from './oracle-trackers.ts';

const upTo = (deals: readonly DealItem[], order: number): DealItem[] =>
  deals.filter((deal) => deal.order <= order);

/**
 * The baselines of one period of a tracker, from its start or its funding on, each figure computed
 * from the whole feed.
 */
export class OracleBaseline {
  readonly baseline: Baseline;
  readonly trails: boolean;
  readonly start: PeriodStart;
  readonly #definition: TrackerDefinition;
  readonly #stretch: Stretch;
  readonly #items: readonly OracleItem[];
  /** Deals that are taken out of the equity, from the order on that they are of. */
  readonly #adjustments: DealItem[];
  /** Those that leave the floor where it is, or lock it. */
  readonly #payouts: DealItem[];
  readonly #peaks: { order: number; amount: number }[];

  constructor(
    definition: TrackerDefinition,
    calendar: BrokerClock,
    items: readonly OracleItem[],
    stretch: Stretch,
    start = startOfPeriod(items, stretch),
  ) {
    this.#definition = definition;
    this.#stretch = stretch;
    this.#items = items;
    this.start = start;
    this.baseline = definition.baseline ?? 'startBalance';
    this.trails = this.baseline.startsWith('peak');
    const adjusts: readonly string[] = definition.adjustDeals ?? ['DEAL_TYPE_BALANCE'];
    const isOlder = (deal: DealItem): boolean => deal.endUtcMs < stretch.period.startUtcMs;
    this.#adjustments = start.news.filter((deal) =>
      isOlder(deal) ? !deal.isTrade : adjusts.includes(deal.type) && !this.#isPayout(deal),
    );
    this.#payouts = start.news.filter((deal) => !isOlder(deal) && this.#isPayout(deal));
    this.#peaks = this.#peaksOf(items, calendar);
  }

  /** Parts of a snapshot's equity that are no result. */
  adjustmentAt = (order: number): number =>
    this.start.keptCredit + moneyOf(upTo(this.#adjustments, order)) - fundsOf(this.#owedAt(order));

  /** The part of it that is credit. */
  creditAt = (order: number): number =>
    this.adjustmentAt(order) -
    bookedOf(upTo(this.#adjustments, order)) +
    bookedOf(this.#owedAt(order).filter(({ isTrade }) => !isTrade));

  adjustedEquity = ({ equity, balance, order }: SnapshotItem): number =>
    this.#definition.measures === 'balance'
      ? balance - (this.adjustmentAt(order) - this.creditAt(order))
      : equity - this.adjustmentAt(order);

  /** The period's first baseline: that of profit. */
  get profitBaseline(): number {
    const { balance, equity } = this.start;
    const { initialCapital, period } = this.#definition;
    if (Number.isNaN(balance)) return balance;
    if (this.baseline === 'startBalance') return balance;
    if (this.baseline === 'initialCapital') return initialCapital ?? Number.NaN;
    if (this.baseline === 'startEquity') return equity;
    if (this.baseline === 'maxOfBoth') return Math.max(balance, equity);
    return period === 'lifetime' ? Math.max(balance, initialCapital ?? balance) : balance;
  }

  baselineAt(order: number): number {
    const start = this.profitBaseline;
    const reached = this.#peaks.filter((peak) => peak.order <= order).map(({ amount }) => amount);
    const { onPayout } = this.#definition;
    if (onPayout === 'locks' && upTo(this.#payouts, order).length > 0) reached.push(Infinity);
    const highest = this.trails ? Math.max(start, ...reached) : start;
    return Math.min(baselineCapOf(this.#definition), highest);
  }

  isMeasured({ order, utcMs }: SnapshotItem): boolean {
    const { period, until } = this.#stretch;
    return order >= this.start.order && order < until && utcMs >= period.startUtcMs;
  }

  /** The baseline from the period's funding on, if it began without money and got some. */
  funded(calendar: BrokerClock): OracleBaseline | undefined {
    const start = fundedStart(this, this.#items, this.#stretch);
    if (!start) return undefined;
    return new OracleBaseline(this.#definition, calendar, this.#items, this.#stretch, start);
  }

  #isPayout({ type, money }: DealItem): boolean {
    const { onPayout = 'follows' } = this.#definition;
    return onPayout !== 'follows' && type === 'DEAL_TYPE_BALANCE' && money < 0;
  }

  #owedAt = (order: number): DealItem[] => this.start.owed.filter((deal) => deal.order > order);

  #peaksOf(items: readonly OracleItem[], calendar: BrokerClock) {
    if (this.baseline === 'peakEndOfDayBalance') return this.#dayEnds(items, calendar);
    if (this.baseline !== 'peakEquity' && this.baseline !== 'peakBalance') return [];
    return items
      .filter((item) => item.kind === 'snapshot')
      .filter((snapshot) => this.isMeasured(snapshot))
      .map((snapshot) => {
        const { order, balance } = snapshot;
        const held = balance - (this.adjustmentAt(order) - this.creditAt(order));
        return {
          order,
          amount: this.baseline === 'peakBalance' ? held : this.adjustedEquity(snapshot),
        };
      });
  }

  /** The ledger's balance at each day's end, found once a snapshot or deal is beyond it. */
  #dayEnds(items: readonly OracleItem[], calendar: BrokerClock) {
    const { from, until } = this.#stretch;
    const found: { order: number; amount: number }[] = [];
    let dayEndUtcMs = midnightAfter(items[from]?.utcMs ?? 0, calendar);
    for (const { order, utcMs } of items) {
      if (order <= from || order >= until || utcMs < dayEndUtcMs) continue;
      const endUtcMs = dayEndUtcMs;
      dayEndUtcMs = midnightAfter(utcMs, calendar);
      const last = items.findLast((item) => item.kind === 'snapshot' && item.order < order);
      if (last?.kind !== 'snapshot' || order <= this.start.order) continue;
      const isBefore = (deal: DealItem): boolean => deal.order < order || deal.endUtcMs < endUtcMs;
      const held = items
        .filter((item) => item.kind === 'deal')
        .filter((deal) => deal.snapshotOrder > last.order && deal.endUtcMs < endUtcMs);
      const taken = bookedOf(this.#adjustments.filter(isBefore));
      const owed = this.start.owed.filter((deal) => !isBefore(deal) && !deal.isTrade);
      found.push({ order, amount: last.balance + bookedOf(held) - taken + bookedOf(owed) });
    }
    return found;
  }
}
