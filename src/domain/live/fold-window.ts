import type { EnrolmentState } from '../../words/programs.ts';
import type { Money } from '../money.ts';
import type { Reading } from './deal-placement.ts';
import type { KnownDeal } from './known-deals.ts';
import type { TrackerEvent } from './live-records.ts';

/*
 * Facts may come late. While an account has a movement of its balance that no deal explains, it
 * keeps its earlier state (the base) and the facts since (the log): a deal or a reading that comes
 * late is put in its place, and the log is folded again from the base. So the outcome is that of
 * the facts in order, whatever the order in which they came. When all is explained, the base and
 * the log are dropped.
 *
 * The log has the readings that can matter to a tracker or an enrolment: those that move the
 * balance or pass the end of a period or day, and of the stretches between them each new high, and
 * each new low since that high, with the reading before it. A floor that never falls is first
 * broken by one of them, whatever is adjusted later.
 */

/** Readings in the log; with more, the older half is folded into the base finally. */
export const MAX_READINGS = 96;
/** Deals in the log. */
export const MAX_DEALS = 64;
/** Deals of one second may arrive this long after a reading: see CLOCK_SLACK_MS. */
const SETTLED_AFTER_MS = 2000;

export type LoggedReading = Reading & {
  /** Figures before and after it can't be compared: the balance moved, or a period ended. */
  startsStretch: boolean;
};

/** A movement of the balance between two readings that no deal explains. */
export type Movement = { afterUtcMs: number; utcMs: number; money: number };

/** An event that was published since the base, as it stands by the facts known now. */
export type ToldEvent = {
  event: TrackerEvent;
  utcMs: number;
  isRevoked: boolean;
  revisions: number;
};

/** An enrolment that the rules ended since the base. */
export type ToldEnd = {
  enrolmentId: string;
  count: number;
  to: EnrolmentState;
  ruleIndex?: number | undefined;
  isDisputed: boolean;
};

/** A change of what an account measures, and how many readings of the log precede it. */
export type LoggedChange<Account> = { at: number } & (
  | { kind: 'joined' /** The joined tracker or enrolment, as it was then. */; carrier: Account }
  | {
      kind: 'paused' | 'running';
      enrolmentId: string;
      timeMs: number;
      utcMs: number;
      by?: string | undefined;
    }
  | { kind: 'failed'; enrolmentId: string; utcMs: number }
);

/** The parts of its account that a window needs. */
type Account = Omit<Reading, 'utcMs' | 'timeMs'> & {
  lastUtcMs: number;
  lastTimeMs: number;
  settleDueUtcMs: number;
  waitingDeals: readonly KnownDeal[];
};

export class FoldWindow<Base extends Account> {
  readonly base: Base;
  readings: LoggedReading[] = [];
  /** All deals that the base does not include, in their own order. */
  deals: readonly KnownDeal[];
  changes: LoggedChange<Base>[] = [];
  told: ToldEvent[] = [];
  ended: ToldEnd[] = [];
  movements: Movement[] = [];
  /** Kept at least for readings up to this moment. */
  openUntilUtcMs = Number.NEGATIVE_INFINITY;
  /** A reading between these equities that moves no balance can't matter. */
  lowEquity = Number.NaN;
  highEquity = Number.NaN;

  constructor(base: Base) {
    this.base = base;
    this.deals = base.waitingDeals;
  }

  /** Whether a reading that does not move the balance can be left out of the log. */
  isQuiet(utcMs: number, equity: Money): boolean {
    const mayClose = this.movements.length === 0 && utcMs > this.openUntilUtcMs;
    return !mayClose && equity >= this.lowEquity && equity <= this.highEquity;
  }

  /** Whether late facts can no longer change anything. */
  isSettled({ lastUtcMs, settleDueUtcMs }: Account): boolean {
    return (
      this.movements.length === 0 && lastUtcMs > this.openUntilUtcMs && Number.isNaN(settleDueUtcMs)
    );
  }

  /** Holds the window open for deals that may still come for a reading. */
  stayOpen(utcMs: number): void {
    this.openUntilUtcMs = Math.max(this.openUntilUtcMs, utcMs + SETTLED_AFTER_MS);
  }

  /** Notes the movement before a reading, if no deal explains it. */
  note(
    { lastUtcMs: afterUtcMs }: Account,
    { utcMs, unexplained: money }: { utcMs: number; unexplained: Money },
  ): void {
    if (money !== 0) this.movements.push({ afterUtcMs, utcMs, money });
  }

  /** Adds the newest reading; `startsStretch` if figures before and after can't be compared. */
  append(reading: Reading, startsStretch: boolean): void {
    this.readings.push({ ...reading, startsStretch });
    const { low, high } = widened(this.lowEquity, this.highEquity, reading.equity, startsStretch);
    this.lowEquity = low;
    this.highEquity = high;
  }

  /** Adds the account's newest reading, if it was left out. */
  logNewest(account: Account): void {
    const { lastUtcMs: utcMs, lastTimeMs: timeMs, balance, equity, receivedUtcMs } = account;
    const loggedUtcMs = this.readings.at(-1)?.utcMs ?? this.base.lastUtcMs;
    if (Number.isNaN(utcMs) || utcMs <= loggedUtcMs) return;
    this.append({ timeMs, utcMs, balance, equity, receivedUtcMs }, this.readings.length === 0);
  }

  /** Puts a late reading in its place; false if it can't matter there. */
  insert(reading: Reading): boolean {
    const { utcMs, balance, equity } = reading;
    const found = this.readings.findIndex((other) => other.utcMs > utcMs);
    const at = found < 0 ? this.readings.length : found;
    let [low, high] = [Number.NaN, Number.NaN];
    for (const { startsStretch, equity: logged } of this.readings.slice(0, at)) {
      ({ low, high } = widened(low, high, logged, startsStretch));
    }
    const before = this.readings[at - 1];
    const isMoved = balance !== before?.balance;
    // The last reading of a period may be the one that judges it.
    const isLast = this.readings[at]?.startsStretch;
    if (!isMoved && !isLast && equity >= low && equity <= high) return false;
    const isKnown = this.readings.some(
      (one) => one.utcMs === utcMs && one.balance === balance && one.equity === equity,
    );
    if (isKnown) return false;
    this.readings.splice(at, 0, { ...reading, startsStretch: isMoved });
    const next = this.readings[at + 1];
    if (next && next.balance !== balance) next.startsStretch = true;
    for (const change of this.changes) if (change.at > at) change.at += 1;
    return true;
  }
}

/** The lowest equity since the highest of a stretch, and that highest; with another reading. */
function widened(low: Money, high: Money, equity: Money, startsStretch: boolean) {
  if (startsStretch || !(equity <= high)) return { low: equity, high: equity };
  return { low: Math.min(low, equity), high };
}
