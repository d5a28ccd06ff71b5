import { type BrokerTimeMs, HOUR_MS } from '../domain/broker-time.ts';
import { closesOnly, compareDeals, type Deal, moneyOf, tradeOf } from '../domain/deal.ts';
import { mergeHours } from '../domain/live/equity-bucket.ts';
import type { LiveAccount } from '../domain/live/live-account.ts';
import type { EquityHour, FreshHours, LiveDeal } from '../domain/live/live-records.ts';
import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import {
  HOURS_BEFORE_START,
  type SeededTracker,
  startsInPast,
  TrackerSeeding,
} from '../domain/live/tracker-seeding.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import type { Sql } from '../storage/database.ts';
import { listDeals } from '../storage/deal-store.ts';
import { readHourStartsBefore, readHours } from '../storage/hour-store.ts';

/** A page of either blocks the process for a few milliseconds. */
const HOURS_PER_READ = 500;
const DEALS_PER_READ = 500;

/** An account at one moment, with the means to read its hours and deals as of that moment. */
export type SeedSource = {
  accountNumber: number;
  /**
   * Read-only; read by a tracker before the first page, as an account on hold may be freed later.
   */
  account: LiveAccount;
  fresh: FreshHours;
  /** Ids of deals stored before the call that reached the account after that moment. */
  laterDeals: () => Promise<ReadonlySet<string>>;
};

/** Runs one read of the database, possibly retrying until it succeeds. */
export type Retry = <T>(what: string, read: () => Promise<T>) => Promise<T>;

const once: Retry = (_what, read) => read();

/**
 * Builds a tracker, which may start in the past, from the stored history of an account. Works in
 * pages, with other work in between.
 */
export async function seedTracker(
  sql: Sql,
  source: SeedSource,
  definition: TrackerDefinition,
  rules: TrackerRules,
  retry: Retry = once,
): Promise<SeededTracker> {
  const seeding = new TrackerSeeding(source.account, definition, rules);
  const pages = new StoredPages(sql, source, retry);
  const { startTimeMs } = definition;
  if (startTimeMs === undefined || !startsInPast(source.account, definition)) {
    return seeding.finish();
  }
  const fromMs = await pages.firstHourFor(startTimeMs);
  const hours = pages.hoursFrom(fromMs);
  const deals = pages.dealsFrom(fromMs);
  while (seeding.needs !== 'nothing') {
    if (seeding.needs === 'hours') seeding.takeHours((await hours.next()).value ?? []);
    else seeding.takeDeals((await deals.next()).value ?? []);
    await nextTurn();
  }
  return seeding.finish();
}

/** The stored closed hours and deals of an account, as they were at the moment of the source. */
export class StoredPages {
  readonly #sql: Sql;
  readonly #source: SeedSource;
  readonly #retry: Retry;
  /** Later hours are not closed, even if a former owner stored them as closed. */
  readonly runningHourMs: BrokerTimeMs;

  constructor(sql: Sql, source: SeedSource, retry: Retry = once) {
    this.#sql = sql;
    this.#source = source;
    this.#retry = retry;
    this.runningHourMs = source.account.hourStartMs;
  }

  /** The start of the first hour that a tracker needs; the tracker's own start if there is none. */
  async firstHourFor(startTimeMs: BrokerTimeMs): Promise<BrokerTimeMs> {
    const { accountNumber, fresh } = this.#source;
    const beforeMs = Math.min(startTimeMs, this.runningHourMs);
    const stored = await this.#retry('reading hours', () =>
      readHourStartsBefore(this.#sql, accountNumber, beforeMs, HOURS_BEFORE_START),
    );
    const newer = [...fresh.hours, ...fresh.corrections].map((hour) => hour.startTimeMs);
    const starts = new Set([...stored, ...newer.filter((hourMs) => hourMs < beforeMs)]);
    const newest = [...starts].sort((a, b) => b - a).slice(0, HOURS_BEFORE_START);
    return newest.at(-1) ?? startTimeMs;
  }

  async *hoursFrom(fromMs: BrokerTimeMs): AsyncGenerator<EquityHour[], undefined> {
    const { accountNumber, fresh } = this.#source;
    const newer = {
      hours: fresh.hours.toSorted(byStart),
      corrections: fresh.corrections.toSorted(byStart),
    };
    const untilMs = this.runningHourMs;
    takeBefore(newer.hours, fromMs);
    takeBefore(newer.corrections, fromMs);
    for (let startMs = fromMs; startMs < untilMs; ) {
      const stored = await this.#retry('reading hours', () =>
        readHours(this.#sql, accountNumber, startMs, untilMs, HOURS_PER_READ),
      );
      const last = stored.length < HOURS_PER_READ ? undefined : stored.at(-1);
      const endMs = last ? last.startTimeMs + HOUR_MS : untilMs;
      const page = mergeHours(
        stored.map(({ accountNumber: _, ...hour }) => hour),
        {
          hours: takeBefore(newer.hours, endMs),
          corrections: takeBefore(newer.corrections, endMs),
        },
      );
      if (page.length > 0) yield page;
      startMs = endMs;
    }
  }

  /** Pages of deals from a time on. Deals of one time share a page, in the platform's order. */
  async *dealsFrom(fromMs: BrokerTimeMs): AsyncGenerator<LiveDeal[], undefined> {
    const { accountNumber, laterDeals } = this.#source;
    let after = { timeMs: fromMs - 1, id: '\u{10ffff}' };
    let ofLastTime: Deal[] = [];
    for (;;) {
      const stored = await this.#retry('reading deals', () =>
        listDeals(this.#sql, accountNumber, after, DEALS_PER_READ),
      );
      const last = stored.length < DEALS_PER_READ ? undefined : stored.at(-1);
      const known = [...ofLastTime, ...stored];
      const isWhole = ({ timeMs }: Deal): boolean => timeMs !== last?.timeMs;
      ofLastTime = known.filter((deal) => !isWhole(deal));
      const later = await laterDeals();
      const page = known.filter((deal) => isWhole(deal) && !later.has(deal.id));
      if (page.length > 0) yield page.sort(compareDeals).map(liveDeal);
      if (!last) return;
      after = { timeMs: last.timeMs, id: last.id };
    }
  }
}

const byStart = (a: { startTimeMs: BrokerTimeMs }, b: { startTimeMs: BrokerTimeMs }): number =>
  a.startTimeMs - b.startTimeMs;

/** Removes and returns the records that begin before a time, from records in ascending order. */
function takeBefore<T extends { startTimeMs: BrokerTimeMs }>(records: T[], endMs: BrokerTimeMs) {
  const kept = records.findIndex(({ startTimeMs }) => startTimeMs >= endMs);
  return records.splice(0, kept < 0 ? records.length : kept);
}

function liveDeal(deal: Deal): LiveDeal {
  const trade = tradeOf(deal);
  return {
    id: deal.id,
    type: deal.type,
    timeMs: deal.timeMs,
    money: moneyOf(deal),
    ...(closesOnly(deal) ? { closes: true } : {}),
    ...(trade ? { trade } : {}),
  };
}
