import type { Random } from '../simulation/random.ts';

/** How likely each fault is in a run: most runs have few kinds of them, and those often. */
export type Faults = {
  /** Of a statement outside of a transaction: its answer takes long. */
  slow: number;
  /** Of a statement: it is refused before it reaches the database. */
  refused: number;
  /** It gets lost on the way there. */
  lost: number;
  /** It was done, and its answer gets lost. */
  unanswered: number;
  /** It arrives after its caller has given up. */
  late: number;
  /** It loses a deadlock. */
  conflict: number;
  /** Another client holds the requested lock. */
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

/** Likewise for a journal that is a stream. */
export type StreamFaults = {
  lost: number;
  unanswered: number;
  /** Of a message: it arrives after its sender has given up. */
  late: number;
  /** A message is answered before it is replicated, which is no answer. */
  replicating: number;
  /** Of a read: the replica lacks the newest messages. */
  behind: number;
  unheard: number;
  /** Times a minute that the stream loses its leader, or a machine its way there. */
  elections: number;
  cuts: number;
};

export const NO_STREAM_FAULTS: StreamFaults = {
  ...{ lost: 0, unanswered: 0, late: 0, replicating: 0, behind: 0, unheard: 0 },
  ...{ elections: 0, cuts: 0 },
};

export function drawStreamFaults(random: Random): StreamFaults {
  const some = (most: number): number => (random.chance(0.5) ? most * random.next() ** 2 : 0);
  return {
    lost: some(0.1),
    unanswered: some(0.2),
    late: some(0.2),
    replicating: some(0.2),
    behind: some(0.5),
    unheard: some(1),
    elections: some(30),
    cuts: some(15),
  };
}

export const NO_FAULTS: Faults = {
  ...{ slow: 0, refused: 0, lost: 0, unanswered: 0, late: 0, conflict: 0, busy: 0, unheard: 0 },
  ...{ pauses: 0, kills: 0, stops: 0, cuts: 0, clocks: 0, outages: 0 },
};

export function drawFaults(random: Random): Faults {
  const some = (most: number): number => (random.chance(0.4) ? most * random.next() ** 2 : 0);
  return {
    slow: random.chance(0.4) ? random.next() * 0.6 : 0,
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
