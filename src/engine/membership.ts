import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Member } from '../storage/partition-store.ts';
import { type LocalProcesses, NO_LOCAL_PROCESSES } from './local-processes.ts';

/** The last beat seen of a process, since when it has stood still, and whether it ever moved. */
type Seen = { beat: number; sinceMs: number; hasMoved: boolean };

export type Living = {
  /** Processes that are not known to be dead. */
  living: string[];
  /** Those of them that take a share, in the database's order. */
  sharing: string[];
  /** Those of them whose beat was seen to move: only for these is a surplus given up. */
  beating: ReadonlySet<string>;
  /** Processes to forget: certainly dead, or dead for long. */
  gone: string[];
};

/** A process that was dead for this many times the patience is forgotten. */
const GONE_AFTER = 15;

/**
 * Tells which processes are alive, as far as this one can see. A process is dead once its beat has
 * stood still for the patience, or at once if it has ended on this machine. Only this process' own
 * timer counts, so clocks need not agree. A process that was itself away for longer than the
 * patience waits for the whole of it again: what kept it away, such as an outage of the database,
 * may have kept the others from beating too.
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

  /** Takes in the processes' rows and tells who is alive. */
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

  /** How long its beat has stood still, in milliseconds. */
  #stillMs(id: string, nowMs: number): number {
    const seen = this.#seen.get(id);
    return seen ? nowMs - seen.sinceMs : 0;
  }
}

/** How many partitions a process should own: the shares of all differ by one at most. */
export function shareOf(id: string, sharing: readonly string[], partitions: number): number {
  const place = sharing.indexOf(id);
  if (place < 0) return 0;
  const least = Math.floor(partitions / sharing.length);
  return place < partitions % sharing.length ? least + 1 : least;
}
