import type { Random } from '../simulation/random.ts';

/** Habits of the clients of a run. */
export type Habits = {
  /** Accounts of a user. */
  accounts: number;
  writers: number;
  /** Milliseconds between two requests of a writer, and between two polls, on average. */
  meanPauseMs: number;
  meanPollPauseMs: number;
  /** How many times faster than the world the market goes. */
  speed: number;
  /** How many times as far as usual equity goes at a time: then limits are broken all the time. */
  swing: number;
  /** How likely each kind of request is. */
  keyed: number;
  deals: number;
  loneDeals: number;
  trackers: number;
  clocks: number;
  deletions: number;
  /** Changes of enrolments, in phases with rules over deals; without them no deal is a trade. */
  enrolments: number;
  /** Users with an account that one feeder has to itself: see feeder.ts. */
  feeders: number;
};

/** Each run does few things, and those often: two rare things at a time are common in some run. */
export function drawHabits(random: Random): Habits {
  return {
    accounts: random.between(1, 4),
    writers: random.between(1, 4),
    meanPauseMs: random.pick([20, 60, 200]),
    meanPollPauseMs: random.pick([10, 100]),
    speed: random.pick([60, 600, 6000, 60_000]),
    swing: random.pick([1, 1, 8]),
    keyed: random.next() * 0.5,
    deals: random.chance(0.6) ? random.next() * 0.6 : 0,
    loneDeals: random.chance(0.5) ? random.next() * 0.3 : 0,
    trackers: random.next() * random.pick([0.15, 0.5]),
    clocks: random.chance(0.2) ? 0.05 : 0,
    deletions: random.chance(0.5) ? random.next() * random.pick([0.1, 0.3]) : 0,
    feeders: random.pick([0, 0, 1, 2]),
    enrolments: random.chance(0.3) ? 0.1 : 0,
  };
}
