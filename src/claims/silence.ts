import type { Timekeeper } from '../domain/timekeeper.ts';
import { ALONE, type ProcessRow } from '../storage/claim-store.ts';
import { type LocalProcesses, NO_LOCAL_PROCESSES } from './local-processes.ts';

/** The last beat of a process, since when it has stood still, and whether it ever moved. */
type Seen = { beat: number; sinceMs: number; hasMoved: boolean };

export type Seeing = {
  /** Not known to be dead. */
  living: ProcessRow[];
  /** Those whose beat has been seen to move: only these are given a surplus. */
  beating: ReadonlySet<string>;
  /** Silent for the patience: its urgent jobs are free. */
  silent: ProcessRow[];
  /** Certainly dead, or dead for long: all of its jobs are free. */
  gone: ProcessRow[];
};

/** A process whose beat has stood still for so long does no work. */
export const PATIENCE_MS = 4000;
/** A process that was silent for this many times the patience is gone. */
const GONE_AFTER = 15;

/**
 * Tells which processes are alive, as far as this one can see. A process is silent once its beat
 * has stood still for the patience, and gone at once if it has ended on this machine. Only this
 * process' own timer counts, so clocks need not agree. A process that was itself held up for longer
 * than the patience takes none for dead before another patience is over: the same cause, such as an
 * outage of the database, may have kept the others from beating, too.
 */
export class Silence {
  readonly #time: Timekeeper;
  readonly #patienceMs: number;
  readonly #local: LocalProcesses;
  #seen = new Map<string, Seen>();
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** Since when it has checked without interruption. */
  #backMs = 0;

  constructor(time: Timekeeper, patienceMs: number, local = NO_LOCAL_PROCESSES) {
    this.#time = time;
    this.#patienceMs = patienceMs;
    this.#local = local;
  }

  /** Takes the processes' rows. */
  look(rows: readonly ProcessRow[]): Seeing {
    const nowMs = this.#time.elapsed();
    const wasAway = nowMs - this.#lookedMs > this.#patienceMs;
    this.#lookedMs = nowMs;
    if (wasAway) this.#backMs = nowMs;
    const isSure = nowMs - this.#backMs >= this.#patienceMs;
    const before = this.#seen;
    this.#seen = new Map();
    const seeing = { living: [] as ProcessRow[], beating: new Set<string>() };
    const silent: ProcessRow[] = [];
    const gone: ProcessRow[] = [];
    for (const row of rows) {
      const { id, beat, mark } = row;
      const known = before.get(id);
      const seen =
        known?.beat === beat
          ? { ...known, hasMoved: known.hasMoved && !wasAway }
          : { beat, sinceMs: nowMs, hasMoved: known !== undefined };
      this.#seen.set(id, seen);
      const stillMs = nowMs - seen.sinceMs;
      const hasEnded = mark !== null && this.#local.hasEnded(mark);
      if (hasEnded || (isSure && stillMs > GONE_AFTER * this.#patienceMs && beat !== ALONE))
        gone.push(row);
      else if (isSure && stillMs >= this.#patienceMs && beat !== ALONE) silent.push(row);
      else {
        seeing.living.push(row);
        if (seen.hasMoved) seeing.beating.add(id);
      }
    }
    return { ...seeing, silent, gone };
  }
}
