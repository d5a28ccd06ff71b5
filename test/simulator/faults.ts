import type { Random } from '../simulation/random.ts';

/** How likely each fault is in a run: most runs have few kinds of them, and those often. */
export type Faults = {
  /** Of a statement: it is refused before it reaches the database. */
  refused: number;
  /** It gets lost on the way there. */
  lost: number;
  /** It was done, and its answer gets lost. */
  unanswered: number;
  /** It gets there when nobody waits for it any more. */
  late: number;
  /** It loses a deadlock. */
  conflict: number;
  /** Somebody else holds the lock that is tried. */
  busy: number;
  /** An announcement is lost. */
  unheard: number;
  /** Times a minute that a machine is paused, killed, stopped, cut off, or its clock set. */
  pauses: number;
  kills: number;
  stops: number;
  cuts: number;
  clocks: number;
  /** Times a minute that the database is away. */
  outages: number;
};

export const NO_FAULTS: Faults = {
  ...{ refused: 0, lost: 0, unanswered: 0, late: 0, conflict: 0, busy: 0, unheard: 0 },
  ...{ pauses: 0, kills: 0, stops: 0, cuts: 0, clocks: 0, outages: 0 },
};

export function drawFaults(random: Random): Faults {
  const some = (most: number): number => (random.chance(0.4) ? most * random.next() ** 2 : 0);
  return {
    refused: some(0.05),
    lost: some(0.02),
    unanswered: some(0.05),
    late: some(0.03),
    conflict: some(0.1),
    busy: some(0.6),
    unheard: some(1),
    pauses: some(20),
    kills: some(15),
    stops: some(8),
    cuts: some(15),
    clocks: some(10),
    outages: some(5),
  };
}
