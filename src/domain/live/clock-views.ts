import type { BrokerClock } from '../broker-time.ts';
import { RecentMap } from '../recent-map.ts';
import { BrokerClockView } from './broker-clock-view.ts';
import type { ResetClock } from './tracker-definition.ts';

/** How many clocks are cached; holders of the view of a forgotten clock keep it. */
export const MAX_CLOCKS = 1000;

/**
 * The only maker of clock views: one per clock, shared by all accounts and rules on it. A view
 * takes 6 KB and some tenths of a millisecond, and clocks are few.
 */
export class ClockViews {
  readonly #known = new RecentMap<string, { clock: BrokerClock; view: BrokerClockView }>(
    MAX_CLOCKS,
  );

  viewOf(clock: BrokerClock): BrokerClockView {
    return this.#find(clock).view;
  }

  /** The zone's wall clock set back by the time of day: its midnight is the reset. */
  resetViewOf({ zone, time }: ResetClock): BrokerClockView {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return this.viewOf({ zone, shiftHours: -(hours + minutes / 60) });
  }

  /** One object per clock for all accounts on it. */
  sharedClock(clock: BrokerClock): BrokerClock {
    return this.#find(clock).clock;
  }

  #find(clock: BrokerClock): { clock: BrokerClock; view: BrokerClockView } {
    const key = `${clock.shiftHours} ${clock.zone}`;
    const known = this.#known.get(key);
    if (known) return known;
    const made = { clock, view: new BrokerClockView(clock) };
    this.#known.set(key, made);
    return made;
  }
}
