import type { BrokerClock } from '../broker-time.ts';
import { BrokerClockView } from './broker-clock-view.ts';

/** How many clocks are cached; accounts keep the view of a clock that was dropped. */
const MAX_CLOCKS = 1000;

/** One view per clock, shared by the accounts on it: views are large, and clocks are few. */
export class ClockViews {
  readonly #known = new Map<string, { clock: BrokerClock; view: BrokerClockView }>();

  viewOf(clock: BrokerClock): BrokerClockView {
    return this.#find(clock).view;
  }

  /** The same clock as one object for all accounts on it. */
  sharedClock(clock: BrokerClock): BrokerClock {
    return this.#find(clock).clock;
  }

  #find(clock: BrokerClock): { clock: BrokerClock; view: BrokerClockView } {
    const key = `${clock.shiftHours} ${clock.zone}`;
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size >= MAX_CLOCKS) this.#known.clear();
    const made = { clock, view: new BrokerClockView(clock) };
    this.#known.set(key, made);
    return made;
  }
}
