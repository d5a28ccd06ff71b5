import type { LocalProcesses } from '../../src/claims/local-processes.ts';
import type { Timekeeper } from '../../src/domain/timekeeper.ts';
import { Random } from '../simulation/random.ts';

type Happening = {
  atMs: number;
  /** Of two at the same time the one that was planned first comes first. */
  order: number;
  machine: Machine | undefined;
  call: (() => void) | undefined;
};

/** 2026-11-02, a Monday. */
const START_UTC_MS = Date.UTC(2026, 10, 2);
/**
 * Continuations of a happening run before the next one; some take another turn of the event loop.
 */
const TURNS = 3;

/**
 * A world with a time of its own, in which everything that happens follows from a seed. Only
 * planned things run, one after another, so the same seed gives the same history.
 */
export class World {
  readonly random: Random;
  /** The fault found; the first one ends the run. */
  failure: string | undefined;
  /** The events, newest last, if wanted. */
  readonly history: string[] = [];
  /** How often interesting things occurred, by name. */
  readonly counts = new Map<string, number>();
  #nowMs = 0;
  #orders = 0;
  readonly #plan: Happening[] = [];
  readonly #isTold: boolean;

  constructor(seed: number, isTold = false) {
    this.random = new Random(seed);
    this.#isTold = isTold;
  }

  /** Milliseconds since the world began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  get utcMs(): number {
    return START_UTC_MS + this.#nowMs;
  }

  /** Calls after so many milliseconds, on a machine if one is given; returns how to cancel that. */
  after(ms: number, call: () => void, machine?: Machine): () => void {
    this.#orders += 1;
    const atMs = this.#nowMs + Math.max(0, ms);
    const happening: Happening = { atMs, order: this.#orders, machine, call };
    push(this.#plan, happening);
    return () => {
      happening.call = undefined;
    };
  }

  /** Lets time pass up to a moment, or the first failure. */
  async runUntil(untilMs: number): Promise<void> {
    for (;;) {
      const next = this.#plan[0];
      if (this.failure !== undefined || !next || next.atMs > untilMs) break;
      pop(this.#plan);
      if (!next.call) continue;
      this.#nowMs = next.atMs;
      if (next.machine) next.machine.receive(next.call);
      else next.call();
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  fail(reason: string): void {
    this.failure ??= `${this.#nowMs.toFixed(1)} ms: ${reason}`;
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  tell(what: () => string): void {
    if (this.#isTold) this.history.push(`${this.#nowMs.toFixed(1).padStart(9)} ${what()}`);
  }

  /** Mostly a moment, now and then long. */
  latencyMs(): number {
    const { random } = this;
    if (random.chance(0.02)) return random.next() * 300;
    return 0.1 + random.next() * (random.chance(0.2) ? 20 : 2);
  }
}

/**
 * A computer with a process on it, which can be paused, killed, and have its clock set. When the
 * process has died, the next one there is another machine, that knows of it.
 */
export class Machine {
  readonly name: string;
  readonly world: World;
  /** The machine's clock ahead of the world's. */
  clockAheadMs = 0;
  /** Of the time in which it runs. */
  isPaused = false;
  isDead = false;
  /** Nothing gets from it to the database and back. */
  isCutOff = false;
  /** Nor to the stream that is the journal. */
  isCutOffStream = false;
  readonly #backlog: (() => void)[] = [];
  readonly #onEnd: (() => void)[] = [];
  /** The processes of this computer that have died. */
  readonly #ended: Set<string>;

  constructor(world: World, name: string, before?: Machine) {
    this.world = world;
    this.name = name;
    this.#ended = before ? before.#ended : new Set();
  }

  readonly time: Timekeeper = {
    now: () => Math.round(this.world.utcMs + this.clockAheadMs),
    elapsed: () => this.world.nowMs,
    after: (ms, call) => {
      if (this.isDead) return () => {};
      // A busy machine is sometimes late.
      const late = this.world.random.chance(0.05) ? this.world.random.next() * 30 : 0;
      return this.world.after(ms + late, call, this);
    },
  };

  get localProcesses(): LocalProcesses {
    return { own: this.name, hasEnded: (mark) => this.#ended.has(mark) };
  }

  receive(call: () => void): void {
    if (this.isDead) return;
    if (this.isPaused) this.#backlog.push(call);
    else call();
  }

  pause(): void {
    this.isPaused = true;
  }

  /** Overdue calls come now, in any order. */
  resume(): void {
    this.isPaused = false;
    for (const call of this.#backlog.splice(0)) {
      this.world.after(this.world.random.next() * 2, call, this);
    }
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#ended.add(this.name);
    for (const end of this.#onEnd.splice(0)) end();
  }

  /** Called when the process is killed. */
  onEnd(end: () => void): void {
    this.#onEnd.push(end);
  }
}

const isBefore = (a: Happening, b: Happening): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** A binary heap: the earliest is first. */
function push(heap: Happening[], happening: Happening): void {
  let place = heap.push(happening) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent];
    if (!above || isBefore(above, happening)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = happening;
}

function pop(heap: Happening[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let place = 0;
  for (;;) {
    const left = heap[2 * place + 1];
    const right = heap[2 * place + 2];
    const isRight = left !== undefined && right !== undefined && isBefore(right, left);
    const child = isRight ? right : left;
    if (!child || isBefore(last, child)) break;
    heap[place] = child;
    place = 2 * place + (isRight ? 2 : 1);
  }
  heap[place] = last;
}
