import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import type { LiveTracker } from './live-tracker.ts';

/*
 * The numbers of an account are held as one array of doubles, addressed by the names below: a
 * property that holds a double costs 24 bytes in V8, an element 8, and the array is what is stored.
 * NaN stands for "not known yet". The type is a tuple, so that a name out of range can't compile.
 */
export const LAST_TIME_MS = 0;
export const LAST_UTC_MS = 1;
export const BALANCE = 2;
export const EQUITY = 3;
/** Money of deals newer than the last snapshot, so not in its balance; without credit. */
export const NEWER_MONEY = 4;
/** The part of newer money that moves the equity too: everything but trades; with credit. */
export const NEWER_FUNDS = 5;
/** Start of the running hour, by the broker's clock. */
export const HOUR_START_MS = 6;
export const HOUR_DURATION_MS = 7;
/** Sums over the running hour of (value − start value) × milliseconds: small, so exact. */
export const HOUR_BALANCE_SUM = 8;
export const HOUR_EQUITY_SUM = 9;
export const HOUR_START_BALANCE = 10;
export const HOUR_START_EQUITY = 11;
export const HOUR_MIN_BALANCE = 12;
export const HOUR_MAX_BALANCE = 13;
export const HOUR_MIN_EQUITY = 14;
export const HOUR_MAX_EQUITY = 15;
/** So many are stored; what follows is found anew from the trackers: see quiet-band.ts. */
export const ACCOUNT_NUMBERS = 16;
export const QUIET_UNTIL_UTC_MS = 16;
export const QUIET_FROM_EQUITY = 17;
export const QUIET_TO_EQUITY = 18;
const ALL_NUMBERS = 19;

type Four = [number, number, number, number];
export type AccountNumbers = [...Four, ...Four, ...Four, ...Four, number, number, number];

const NO_TRACKERS: readonly LiveTracker[] = [];

/** What is known of one account at this moment: all that a fold reads and writes. */
export class LiveAccount {
  readonly id: string;
  readonly clock: BrokerClockView;
  readonly numbers: AccountNumbers;
  /** In the order in which they were added. A new list for each change: it has no spare room. */
  trackers: readonly LiveTracker[] = NO_TRACKERS;

  constructor(id: string, clock: BrokerClockView) {
    this.id = id;
    this.clock = clock;
    this.numbers = newNumbers(ALL_NUMBERS) as AccountNumbers;
    this.numbers[NEWER_MONEY] = 0;
    this.numbers[NEWER_FUNDS] = 0;
  }

  attach(tracker: LiveTracker): void {
    this.trackers = this.trackers.concat(tracker);
    this.forgetQuietBand();
  }

  /** Whether there was such a tracker. */
  detach(trackerId: string): boolean {
    const before = this.trackers.length;
    this.trackers = this.trackers.filter(({ id }) => id !== trackerId);
    this.forgetQuietBand();
    return this.trackers.length < before;
  }

  /** To be called when a tracker is changed by anything but a snapshot: see quiet-band.ts. */
  forgetQuietBand(): void {
    this.numbers[QUIET_UNTIL_UTC_MS] = Number.NaN;
    this.numbers[QUIET_FROM_EQUITY] = Number.NaN;
    this.numbers[QUIET_TO_EQUITY] = Number.NaN;
  }

  /** Broker time of the newest snapshot; undefined before the first. */
  get lastTimeMs(): BrokerTimeMs | undefined {
    return known(this.numbers[LAST_TIME_MS]);
  }

  get lastUtcMs(): number | undefined {
    return known(this.numbers[LAST_UTC_MS]);
  }

  get balance(): Money | undefined {
    return known(this.numbers[BALANCE]);
  }

  get equity(): Money | undefined {
    return known(this.numbers[EQUITY]);
  }
}

/** An array that V8 keeps as unboxed doubles from the start, in a copy without spare room. */
export function newNumbers(length: number): number[] {
  const numbers: number[] = [];
  for (let index = 0; index < length; index += 1) numbers.push(Number.NaN);
  return numbers.slice();
}

export const known = (value: number): number | undefined =>
  Number.isNaN(value) ? undefined : value;
