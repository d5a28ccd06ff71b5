import { type BrokerTimeMs, HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import { adjustmentOf, HourContents } from './hour-contents.ts';
import type { EquityHour, LiveDeal } from './live-records.ts';
import type { Figure, Seedbed } from './seedbed.ts';
import { isFundedBy, startBaselineWithin } from './tracker-baseline.ts';

/** A deal that came with a snapshot may be later than it by this much: their clocks differ. */
const CLOCK_SKEW_MS = MINUTE_MS;
/** Deals this soon after the account's first snapshot are in it: its time may be whole seconds. */
const FIRST_SKEW_MS = 1000;

/** Folds one stored hour, after all that came before it: first its deals, then its figures. */
export class SeedHour {
  readonly #bed: Seedbed;
  readonly #hour: EquityHour;
  readonly #isRunning: boolean;
  /** Earliest moment of the hour's figures: its beginning, or the account's first snapshot. */
  #startUtcMs: number;
  /** The last moment of the hour or, in the running one, of its newest snapshot. */
  readonly #lastMs: BrokerTimeMs;
  readonly #lastUtcMs: number;
  /** Undefined until the account's first snapshot, if that is in this hour. */
  #contents: HourContents | undefined;
  /** The equity before the hour, which its extremes include if it was held into the hour. */
  #heldEquity: Money = Number.NaN;
  /** As above, with the deals between that snapshot and the hour. */
  #equityBefore: Money = Number.NaN;
  /** A period or day of the tracker ends within the hour: the figures may lie on either side. */
  #isDivided = false;
  #isStartSeen = false;

  constructor(bed: Seedbed, hour: EquityHour) {
    const { past, now } = bed;
    const { startTimeMs } = hour;
    const endMs = startTimeMs + HOUR_MS;
    this.#bed = bed;
    this.#hour = hour;
    this.#isRunning = startTimeMs === now.hourStartMs;
    this.#startUtcMs = bed.utcOf(startTimeMs);
    this.#lastMs = this.#isRunning ? now.lastTimeMs : endMs - 1;
    this.#lastUtcMs = this.#isRunning ? now.lastUtcMs : bed.utcOf(endMs) - 1;
    if (now.fundedTimeMs < startTimeMs) past.fundedTimeMs = now.fundedTimeMs;
    const isFirst = Number.isNaN(past.balance);
    // Which deals of the hour its first balance includes is unknown: assume none.
    if (isFirst && !this.#hasFirstSnapshot) {
      const { startBalance: balance, startEquity: equity } = hour;
      bed.stand({ timeMs: startTimeMs, utcMs: this.#startUtcMs - 1, balance, equity });
    }
    if (isFirst && this.#hasFirstSnapshot) return;
    bed.judge(this.#startUtcMs);
    bed.reach(startTimeMs, this.#startUtcMs);
    this.#begin();
  }

  /** Whether the next deal belongs to this hour. */
  takes({ timeMs }: LiveDeal): boolean {
    if (!this.#isRunning) return timeMs < this.#hour.startTimeMs + HOUR_MS;
    const isAllSeen = this.#bed.now.waitingDeals.length === 0;
    // In UTC: of an hour that is shown twice, the first pass may show later times than the second.
    return this.#bed.utcOf(timeMs) <= this.#lastUtcMs + (isAllSeen ? CLOCK_SKEW_MS : 0);
  }

  /**
   * How many of the next deals, which are later than the hour, its last balance includes all the
   * same; undefined if that depends on further deals.
   */
  countSkewed(next: readonly LiveDeal[], areAll: boolean): number | undefined {
    const contents = this.#contents;
    if (this.#isRunning || !contents || contents.isLastExplained) return 0;
    let { balance } = contents;
    for (const [index, deal] of next.entries()) {
      if (deal.timeMs > this.#lastMs + CLOCK_SKEW_MS) return 0;
      if (!isCredit(deal)) balance += deal.money;
      if (balance === this.#hour.lastBalance) return index + 1;
    }
    return areAll ? 0 : undefined;
  }

  fold(deal: LiveDeal): void {
    const { past, tracker, now } = this.#bed;
    const isAfterFirst = deal.timeMs > now.fundedTimeMs + FIRST_SKEW_MS;
    if (!this.#contents && isAfterFirst) this.#seeFirstInHour();
    const timeMs = Math.min(deal.timeMs, this.#lastMs);
    const utcMs = Math.min(this.#bed.utcOf(deal.timeMs, past.lastUtcMs), this.#lastUtcMs);
    const { initialBalance } = tracker;
    this.#bed.fold(deal, timeMs, utcMs);
    const isFunding = tracker.initialBalance !== initialBalance;
    if (isFunding && !this.#isDivided) this.#contents?.fund();
    this.#contents?.add(deal, tracker);
  }

  /** Measures the hour after all its deals, and leaves the account as of its last snapshot. */
  close(): void {
    if (!this.#contents) this.#seeFirstInHour();
    const contents = this.#contents;
    if (!contents) throw new Error('Invariant: the first snapshot was seen');
    this.#bed.reach(this.#lastMs, this.#lastUtcMs);
    if (this.#isDivided) this.#closeDivided(contents);
    else if (this.#isInPeriod) this.#measureAll(contents);
    const { money, funds } = contents.newer;
    if (this.#isRunning) this.#bed.stand(this.#lastFigure(contents));
    else this.#bed.stand(this.#lastFigure(contents), money, funds);
  }

  /** Whether the account's first snapshot with money is in this hour, at a known moment. */
  get #hasFirstSnapshot(): boolean {
    const { fundedTimeMs } = this.#bed.now;
    const { startTimeMs, startBalance, startEquity } = this.#hour;
    const isFunded = startBalance > 0 || startEquity > 0;
    return isFunded && fundedTimeMs >= startTimeMs && fundedTimeMs <= this.#lastMs;
  }

  #seeFirstInHour(): void {
    const { now } = this.#bed;
    const { startBalance: balance, startEquity: equity } = this.#hour;
    this.#startUtcMs = this.#bed.utcOf(now.fundedTimeMs);
    const first = { timeMs: now.fundedTimeMs, utcMs: this.#startUtcMs, balance, equity };
    this.#bed.see(first);
    this.#bed.stand(first);
    this.#isStartSeen = true;
    this.#begin();
  }

  #begin(): void {
    const { past, tracker } = this.#bed;
    const balance = past.balance + this.#bed.newer.money;
    const contents = new HourContents(this.#hour, balance, tracker);
    this.#contents = contents;
    this.#heldEquity = past.equity;
    this.#equityBefore = past.equity + this.#bed.newer.funds;
    this.#isDivided = this.#holds(tracker.periodEndUtcMs) || this.#holds(tracker.nextDayUtcMs);
    if (this.#isDivided || !this.#isInPeriod || !contents.isStartExplained) return;
    if (this.#hour.hasLateExtremes && !Number.isNaN(tracker.baseline)) return;
    // If the hour may fund the period, measure the start first, from the baseline before. Not if
    // credit is adjusted: no balance tells whether the start includes credit of the hour.
    const { baseline, initialBalance, rule } = tracker;
    const mayBeFunded = initialBalance <= 0 && !rule.adjustDeals.includes('DEAL_TYPE_CREDIT');
    if (mayBeFunded || Number.isNaN(baseline)) this.#measureStart(contents, true);
  }

  #holds(utcMs: number): boolean {
    return utcMs > this.#startUtcMs && utcMs <= this.#lastUtcMs;
  }

  get #isInPeriod(): boolean {
    return this.#bed.tracker.periodStartUtcMs <= this.#startUtcMs;
  }

  /**
   * Measures start, lowest, highest and last equity, in this order: the true order is unknown, but
   * the lowest did come after the start and all earlier peaks, and the last after the highest. If
   * the lowest or highest came late, it may be older than the start or newer than the last. Then
   * the order is lowest, start, last, highest, which finds no drawdown between figures that may be
   * in another order. If the period gets its first money within the hour, the highest may be from
   * before or after, so it is not measured.
   */
  #measureAll(contents: HourContents): void {
    const { minEquity, maxEquity, maxBalance, hasLateExtremes } = this.#hour;
    const { all } = contents;
    const isFunded = isFundedBy(this.#bed.tracker, maxBalance);
    const isPlain = all !== undefined && all.least === all.most;
    if (hasLateExtremes) this.#measureBetween(contents, minEquity);
    if (!this.#isStartSeen) this.#measureStart(contents, isPlain);
    if (!hasLateExtremes) this.#measureBetween(contents, minEquity);
    // The last figure of the running hour is the newest of all.
    const isLastNewest = !hasLateExtremes || this.#isRunning;
    if (isLastNewest && !isFunded) this.#measureBetween(contents, maxEquity);
    this.#measureLast(contents);
    if (!isLastNewest && !isFunded) this.#measureBetween(contents, maxEquity);
  }

  /** Measures the lowest or highest, unless it is the start or last, or was held from before. */
  #measureBetween(contents: HourContents, equity: Money): void {
    const { startEquity, lastEquity } = this.#hour;
    if ([this.#heldEquity, startEquity, lastEquity].includes(equity)) return;
    const start = this.#startFigure(contents);
    // Before the start is seen, its balance is no peak yet; the hour's lowest makes no false peak.
    const balance = this.#isStartSeen ? start.balance : this.#hour.minBalance;
    this.#bed.measure({ ...start, balance, equity, adjustment: contents.all }, false);
  }

  #measureLast(contents: HourContents): void {
    const last = this.#lastFigure(contents);
    const isFunding = isFundedBy(this.#bed.tracker, last.balance);
    this.#bed.measure(last, true);
    if (isFunding && contents.isExplained) this.#boundFunding(contents);
  }

  /** Any positive balance up to the last snapshot may be the one that funded the period. */
  #boundFunding({ positiveBalances: balances, fundsSpread }: HourContents): void {
    const { tracker } = this.#bed;
    const { minEquity, maxEquity } = this.#hour;
    if (!balances) return;
    const lowest = minEquity - tracker.adjustment - fundsSpread;
    const highest = maxEquity - tracker.adjustment + fundsSpread;
    const least = { balance: balances.least, equity: lowest };
    startBaselineWithin(tracker, least, { balance: balances.most, equity: highest });
  }

  #measureStart(contents: HourContents, mayFund: boolean): void {
    this.#isStartSeen = true;
    this.#bed.measure(this.#startFigure(contents), mayFund);
  }

  #startFigure({ atStart }: HourContents): Figure {
    const { startTimeMs: timeMs, startBalance: balance, startEquity: equity } = this.#hour;
    return { timeMs, utcMs: this.#startUtcMs, balance, equity, adjustment: atStart };
  }

  #lastFigure({ atLast }: HourContents): Figure {
    const { lastBalance: balance, lastEquity: equity } = this.#hour;
    const known = this.#isDivided ? undefined : atLast;
    const adjustment = this.#isRunning ? adjustmentOf(this.#bed.tracker) : known;
    return { timeMs: this.#lastMs, utcMs: this.#lastUtcMs, balance, equity, adjustment };
  }

  /** Bounds the start of a period that began here; measures only the account's newest snapshot. */
  #closeDivided(contents: HourContents): void {
    const { tracker } = this.#bed;
    const { minBalance, maxBalance, minEquity, maxEquity } = this.#hour;
    const { periodStartUtcMs, basisUtcMs, initialBalance } = tracker;
    const hasBegun = this.#holds(periodStartUtcMs) && basisUtcMs < periodStartUtcMs;
    if (hasBegun) {
      const spread = contents.fundsSpread;
      const balances = contents.isExplained ? [initialBalance] : [minBalance, maxBalance];
      const equities = [this.#equityBefore, minEquity, maxEquity];
      startBaselineWithin(
        tracker,
        {
          balance: Math.min(initialBalance, ...balances),
          equity: Math.min(...equities) - spread,
        },
        {
          balance: Math.max(initialBalance, ...balances),
          equity: Math.max(...equities) + spread,
        },
      );
    }
    if (this.#isRunning) this.#bed.see(this.#lastFigure(contents));
  }
}
