import type { BrokerClock } from '../../src/domain/broker-time.ts';
import { BrokerClockView } from '../../src/domain/live/broker-clock-view.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { foldDeals } from '../../src/domain/live/fold-deals.ts';
import { FoldEffects } from '../../src/domain/live/fold-effects.ts';
import { foldSnapshot } from '../../src/domain/live/fold-snapshot.ts';
import { LiveAccount } from '../../src/domain/live/live-account.ts';
import type {
  FoldOutcome,
  LiveDeal,
  PeriodStatistics,
} from '../../src/domain/live/live-records.ts';
import { addTracker } from '../../src/domain/live/tracker-changes.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { runningPeriod } from '../../src/domain/live/tracker-records.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import { withWaitingDeals } from '../../src/domain/live/with-waiting-deals.ts';
import type { DealType } from '../../src/words/deals.ts';
import { moneyOfWire, timeOfWire } from './wire.ts';

/** A clock that never changes, two hours ahead of UTC. */
export const FIXED_CLOCK: BrokerClock = { zone: 'Etc/GMT-2', shiftHours: 0 };
export const NEW_YORK_CLOCK: BrokerClock = { zone: 'America/New_York', shiftHours: 7 };
export const ATHENS_CLOCK: BrokerClock = { zone: 'Europe/Athens', shiftHours: 0 };

/** Money of a written amount. */
export const usd = moneyOfWire;

/** Broker time of `YYYY-MM-DD[ HH:mm[:ss[.SSS]]]`. */
export const at = (text: string): number =>
  timeOfWire(text + '2000-01-01 00:00:00'.slice(Math.min(text.length, 19)));

/** A tracker definition of which a test states only the relevant parts. */
export const trackerOf = (parts: Partial<TrackerDefinition> = {}): TrackerDefinition => ({
  id: 'tracker',
  name: 'tracker',
  period: 'date',
  ...parts,
});

let dealNumber = 0;
export function dealOf(type: DealType, time: string, money: number): LiveDeal {
  dealNumber += 1;
  return { id: `deal-${dealNumber}`, type, timeMs: at(time), money: usd(money) };
}
export const deposit = (time: string, money: number): LiveDeal =>
  dealOf('DEAL_TYPE_BALANCE', time, money);

/** One account driven by a test: amounts and times in readable form. */
export class LiveDesk {
  readonly account: LiveAccount;
  readonly effects = new FoldEffects();
  readonly rules = new TrackerRules(new ClockViews());

  constructor(trackers: readonly Partial<TrackerDefinition>[] = [], clock = FIXED_CLOCK) {
    this.account = new LiveAccount('account', new BrokerClockView(clock));
    for (const parts of trackers) addTracker(this.account, trackerOf(parts), this.rules);
  }

  see(time: string, balance: number, equity: number, deals: readonly LiveDeal[] = []): FoldOutcome {
    const [held, worth] = [usd(balance), usd(equity)];
    return foldSnapshot(this.account, at(time), held, worth, deals, Infinity, this.effects);
  }

  book(...deals: readonly LiveDeal[]): number {
    return foldDeals(this.account, deals, Infinity, this.effects);
  }

  get events() {
    return this.effects.events;
  }

  get completed() {
    return this.effects.completedPeriods;
  }

  period(id = 'tracker'): PeriodStatistics | undefined {
    const shown = withWaitingDeals(this.account);
    const tracker = shown.trackers.find((candidate) => candidate.id === id);
    return tracker && runningPeriod(shown, tracker);
  }
}
