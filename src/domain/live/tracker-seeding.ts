import { runningBucket } from './equity-bucket.ts';
import type { LiveAccount } from './live-account.ts';
import type { EquityHour, LiveDeal, PeriodStatistics, TrackerEvent } from './live-records.ts';
import type { LiveTracker } from './live-tracker.ts';
import { SeedHour } from './seed-hour.ts';
import { Seedbed } from './seedbed.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/**
 * Seeding begins this many stored hours before the tracker's start, however far back they lie. The
 * last of them has the balance at the start; which deals that includes is known from the hour
 * before, and so on, back to an hour with no deal after its last snapshot.
 */
export const HOURS_BEFORE_START = 24;
/** The most deals later than an hour that its last balance may still include. */
const MAX_SKEWED_DEALS = 64;

/** A tracker and its findings so far; attach it with attachTracker. */
export type SeededTracker = {
  tracker: LiveTracker;
  completedPeriods: readonly PeriodStatistics[];
  events: readonly TrackerEvent[];
};

/**
 * Rebuilds a tracker whose start may lie in the past from the stored hours and deals of an account,
 * with the same fold that measures live snapshots. It takes pages in order of time and says which
 * it needs next; the cost of a page depends only on its length. It reads the account only at the
 * beginning: the hours and deals must be those folded into it by then.
 *
 * Exact: periods, initial balances and adjustments as far as deals explain the balances, trade
 * days, the newest snapshot. The times of an hour's start, lowest, highest and last equity are
 * unknown, so maxima are the least that they can be. Left out, because they cannot be known:
 * - a drawdown from an hour's highest to its lowest equity;
 * - all figures of an hour in which a period or day of the tracker ends or begins;
 * - a lowest or highest equal to what was held when the hour began;
 * - the verdict at the end of a period that ends within an hour.
 *
 * For hours with deals that the tracker adjusts see HourContents. Maxima and events have the time
 * of their hour's beginning or end. An event shows the result of its whole hour, so at least what a
 * live tracker would have shown. If an hour exceeds both thresholds, drawdown counts.
 */
export class TrackerSeeding {
  readonly #bed: Seedbed;
  readonly #isInPast: boolean;
  #hours: readonly EquityHour[] = [];
  #deals: readonly LiveDeal[] = [];
  #nextHour = 0;
  #nextDeal = 0;
  #hasAllHours = false;
  #hasAllDeals = false;
  #open: SeedHour | undefined;
  #needs: 'hours' | 'deals' | 'nothing' = 'nothing';

  constructor(account: LiveAccount, definition: TrackerDefinition, rules: TrackerRules) {
    this.#bed = new Seedbed(account, definition, rules);
    this.#isInPast = startsInPast(account, definition);
    if (this.#isInPast) this.#advance();
  }

  /** The page that it needs next. */
  get needs(): 'hours' | 'deals' | 'nothing' {
    return this.#needs;
  }

  /** Takes the next closed hours, ascending; an empty page if there are no more. */
  takeHours(page: readonly EquityHour[]): void {
    const { now } = this.#bed;
    const closed = page.filter(({ startTimeMs }) => startTimeMs < now.hourStartMs);
    const running = page.length === 0 ? runningBucket(now) : undefined;
    this.#hours = running ? [running] : closed;
    this.#nextHour = 0;
    this.#hasAllHours = page.length === 0;
    this.#advance();
  }

  /** Takes the next deals, ascending; an empty page if there are no more. */
  takeDeals(page: readonly LiveDeal[]): void {
    // No snapshot includes those that wait: they count with the one that does.
    const waiting = new Set(this.#bed.now.waitingDeals.map(({ id }) => id));
    const included = page.filter(({ id }) => !waiting.has(id));
    this.#deals = [...this.#deals.slice(this.#nextDeal), ...included];
    this.#nextDeal = 0;
    this.#hasAllDeals = page.length === 0;
    this.#advance();
  }

  /** The tracker as of now. Call this once nothing is needed any more. */
  finish(): SeededTracker {
    const { tracker, now, effects } = this.#bed;
    if (this.#needs !== 'nothing') throw new Error(`The seeding still needs ${this.#needs}`);
    if (this.#isInPast) tracker.measurableFromUtcMs = now.lastUtcMs + 1;
    const { completedPeriods, events } = effects;
    return { tracker, completedPeriods, events };
  }

  /** Folds as far as the pages reach. */
  #advance(): void {
    for (;;) {
      const deal = this.#deals[this.#nextDeal];
      const hour = this.#open ? undefined : this.#hours[this.#nextHour];
      if (!this.#open && !hour && !this.#hasAllHours) {
        this.#needs = 'hours';
        return;
      }
      if (!deal && !this.#hasAllDeals) {
        this.#needs = 'deals';
        return;
      }
      if (this.#open) {
        if (deal && this.#open.takes(deal)) this.#foldInto(this.#open, deal);
        else if (!this.#close(this.#open)) return;
      } else if (hour && !(deal && deal.timeMs < hour.startTimeMs)) {
        this.#open = new SeedHour(this.#bed, hour);
        this.#nextHour += 1;
      } else if (deal) this.#foldLone(deal);
      else {
        this.#needs = 'nothing';
        return;
      }
    }
  }

  #foldInto(hour: SeedHour, deal: LiveDeal): void {
    this.#nextDeal += 1;
    hour.fold(deal);
  }

  /** False if more deals are needed to know which deals the hour's last balance includes. */
  #close(hour: SeedHour): boolean {
    const next = this.#deals.slice(this.#nextDeal, this.#nextDeal + MAX_SKEWED_DEALS);
    const areAll = this.#hasAllDeals || next.length === MAX_SKEWED_DEALS;
    const skewed = hour.countSkewed(next, areAll);
    if (skewed === undefined) {
      this.#needs = 'deals';
      return false;
    }
    for (const deal of next.slice(0, skewed)) this.#foldInto(hour, deal);
    hour.close();
    this.#open = undefined;
    return true;
  }

  /** A deal between two hours, or after the newest snapshot. */
  #foldLone(deal: LiveDeal): void {
    const { past } = this.#bed;
    this.#nextDeal += 1;
    const utcMs = this.#bed.utcOf(deal.timeMs, past.lastUtcMs);
    this.#bed.judge(utcMs);
    this.#bed.fold(deal, deal.timeMs, utcMs);
  }
}

/** Whether a tracker starts no later than the account's newest snapshot, so it must be seeded. */
export const startsInPast = (
  { lastTimeMs }: Pick<LiveAccount, 'lastTimeMs'>,
  { startTimeMs }: TrackerDefinition,
): boolean =>
  // Without snapshots lastTimeMs is NaN.
  startTimeMs !== undefined && startTimeMs <= lastTimeMs;
