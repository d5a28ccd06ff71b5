import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Member } from '../storage/partition-store.ts';
import { type LocalProcesses, NO_LOCAL_PROCESSES } from './local-processes.ts';

/** Beats that were seen of a process, since when the last one stands still, and whether it ever moved. */
type Seen = { beat: number; sinceMs: number; hasMoved: boolean };

export type Living = {
  /** Those that are not known to be dead. */
  living: string[];
  /** Those of them that take a share, in the database's order. */
  sharing: string[];
  /** Those of them that are known to live, as their beat was seen to move: the heirs of a surplus. */
  beating: ReadonlySet<string>;
  /** Those that nobody needs to know of any more: dead for certain, or for long. */
  gone: string[];
};

/** A process that was dead for so many times the patience has left for good. */
const GONE_AFTER = 15;

/**
 * Which processes live, as far as this one can tell: one whose beat has stood still for as long as
 * its patience is dead, and so, at once, is one of this machine that has ended. Time is this process'
 * own, so no clock has to agree with another; one that was itself away waits anew, as others may have
 * been on their way to it.
 */
export class Membership {
  readonly #time: Timekeeper;
  readonly #patienceMs: number;
  readonly #local: LocalProcesses;
  #seen = new Map<string, Seen>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(time: Timekeeper, patienceMs: number, local = NO_LOCAL_PROCESSES) {
    this.#time = time;
    this.#patienceMs = patienceMs;
    this.#local = local;
  }

  /** Takes in what the database says of the processes. */
  look(members: readonly Member[]): Living {
    const nowMs = this.#time.elapsed();
    const wasAway = nowMs - this.#lookedMs > this.#patienceMs;
    this.#lookedMs = nowMs;
    const seen = new Map<string, Seen>();
    for (const { id, beat } of members) {
      const known = this.#seen.get(id);
      const isStill = known?.beat === beat && !wasAway;
      const hasMoved = known !== undefined && known.beat !== beat;
      seen.set(id, isStill ? known : { beat, sinceMs: nowMs, hasMoved });
    }
    this.#seen = seen;
    const ended = new Set(
      members.filter(({ mark }) => mark !== null && this.#local.hasEnded(mark)),
    );
    const living = members.filter((one) => !ended.has(one) && this.#lives(one.id, nowMs));
    const sharing = living.filter(({ isLeaving }) => !isLeaving);
    const beating = sharing.filter(({ id }) => seen.get(id)?.hasMoved);
    const gone = members.filter(
      (one) => ended.has(one) || this.#stillMs(one.id, nowMs) > GONE_AFTER * this.#patienceMs,
    );
    const ids = (some: readonly Member[]): string[] => some.map(({ id }) => id);
    return {
      ...{ living: ids(living), sharing: ids(sharing), gone: ids(gone) },
      beating: new Set(ids(beating)),
    };
  }

  #lives(id: string, nowMs: number): boolean {
    return this.#stillMs(id, nowMs) < this.#patienceMs;
  }

  /** For how long its beat has stood still. */
  #stillMs(id: string, nowMs: number): number {
    const seen = this.#seen.get(id);
    return seen ? nowMs - seen.sinceMs : 0;
  }
}

/** How many of the partitions a process should own: all have as many, or one less. */
export function shareOf(id: string, sharing: readonly string[], partitions: number): number {
  const place = sharing.indexOf(id);
  if (place < 0) return 0;
  const least = Math.floor(partitions / sharing.length);
  return place < partitions % sharing.length ? least + 1 : least;
}
