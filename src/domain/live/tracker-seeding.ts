import { runningBucket } from './equity-bucket.ts';
import type { LiveAccount } from './live-account.ts';
import type { EquityHour, LiveDeal, PeriodStatistics, TrackerEvent } from './live-records.ts';
import type { LiveTracker } from './live-tracker.ts';
import { SeedHour } from './seed-hour.ts';
import { Seedbed } from './seedbed.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/**
 * Hours and deals are needed from so many stored hours before the tracker's start on, however long
 * before. The last of them tells the balance at the start; whether it contains the last deals
 * before it is told by the one before, and so on: some hour has none of them after its last
 * snapshot.
 */
export const HOURS_BEFORE_START = 24;
/** The most deals after an hour that may still be in its last balance. */
const MAX_SKEWED_DEALS = 64;

/** A tracker and what it would have found; attach it with attachTracker. */
export type SeededTracker = {
  tracker: LiveTracker;
  completedPeriods: readonly PeriodStatistics[];
  events: readonly TrackerEvent[];
};

/**
 * Rebuilds a tracker whose start may lie in the past from the stored hours and deals of an account,
 * with the same fold that measures live snapshots. It takes pages in order of time and says which
 * it needs next; the cost of a page depends only on its length. The account is only read, and only
 * when the seeding begins: the hours and deals must be those folded into it by then.
 *
 * Exact: periods, initial balances and adjustments as far as deals explain the balances, trade
 * days, the newest snapshot. Of an hour, start, lowest, highest and last equity are those of
 * snapshots without their times, so maxima are the least that they can be. Left out, because it can
 * not be told:
 * - a drawdown from a peak of the same hour;
 * - all figures of an hour in which a period or day of the tracker ends or begins;
 * - lowest and highest where they equal what was held when the hour began. Of an hour in which
 *   the tracker adjusts deals see HourContents. Times of maxima and events are the beginning or the
 *   end of their hour, and an event shows what its hour came to, so at least as much as a tracker
 *   that was there had to show. Where an hour exceeds both thresholds, drawdown counts.
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

  /** What it needs next. */
  get needs(): 'hours' | 'deals' | 'nothing' {
    return this.#needs;
  }

  /** Takes the next closed hours, ascending; none when there are no more. */
  takeHours(page: readonly EquityHour[]): void {
    const { now } = this.#bed;
    const closed = page.filter(({ startTimeMs }) => startTimeMs < now.hourStartMs);
    const running = page.length === 0 ? runningBucket(now) : undefined;
    this.#hours = running ? [running] : closed;
    this.#nextHour = 0;
    this.#hasAllHours = page.length === 0;
    this.#advance();
  }

  /** Takes the next deals, ascending; none when there are no more. */
  takeDeals(page: readonly LiveDeal[]): void {
    this.#deals = [...this.#deals.slice(this.#nextDeal), ...page];
    this.#nextDeal = 0;
    this.#hasAllDeals = page.length === 0;
    this.#advance();
  }

  /** The tracker as of now; nothing must be needed any more. */
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

  /** False if more deals are needed to tell what the hour's last balance contains. */
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
    this.#bed.fold(deal, deal.timeMs, this.#bed.utcOf(deal.timeMs, past.lastUtcMs));
  }
}

/**
 * Whether a tracker's start lies where the account was seen already, so that it is to be seeded.
 */
export const startsInPast = (
  { lastTimeMs }: Pick<LiveAccount, 'lastTimeMs'>,
  { startTimeMs }: TrackerDefinition,
): boolean =>
  // Without snapshots the last one's time is NaN.
  startTimeMs !== undefined && startTimeMs <= lastTimeMs;
