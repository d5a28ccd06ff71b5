import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Member } from '../storage/partition-store.ts';

/** Beats that were seen of a process, and since when the last one stands still. */
type Seen = { beat: number; sinceMs: number };

/** A process that was dead for so many times the patience has left for good. */
const GONE_AFTER = 15;

/**
 * Which processes live, as far as this one can tell: one whose beat has stood still for as long as
 * its patience is dead. Time is this process' own, so no clock has to agree with another; one that
 * was itself away waits anew, as others may have been on their way to it.
 */
export class Membership {
  readonly #time: Timekeeper;
  readonly #patienceMs: number;
  #seen = new Map<string, Seen>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(time: Timekeeper, patienceMs: number) {
    this.#time = time;
    this.#patienceMs = patienceMs;
  }

  /**
   * Takes in what the database says of the processes and tells those that live, and those of them
   * that take a share, in its order; and those that have been dead for so long that nobody needs to
   * know of them any more.
   */
  look(members: readonly Member[]): { living: string[]; sharing: string[]; gone: string[] } {
    const nowMs = this.#time.elapsed();
    const wasAway = nowMs - this.#lookedMs > this.#patienceMs;
    this.#lookedMs = nowMs;
    const seen = new Map<string, Seen>();
    for (const { id, beat } of members) {
      const known = this.#seen.get(id);
      seen.set(id, known?.beat === beat && !wasAway ? known : { beat, sinceMs: nowMs });
    }
    this.#seen = seen;
    const living = members.filter(({ id }) => this.#lives(id, nowMs));
    const sharing = living.filter(({ isLeaving }) => !isLeaving);
    const gone = members.filter(
      ({ id }) => this.#stillMs(id, nowMs) > GONE_AFTER * this.#patienceMs,
    );
    const ids = (some: readonly Member[]): string[] => some.map(({ id }) => id);
    return { living: ids(living), sharing: ids(sharing), gone: ids(gone) };
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
