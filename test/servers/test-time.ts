import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timekeeper } from '../../src/domain/timekeeper.ts';

/** Time that passes only when a test says so. */
export class TestTime implements Timekeeper {
  #nowMs: number;
  #elapsedMs = 0;
  readonly #timers = new Set<{ atMs: number; call: () => void }>();

  constructor(nowMs = Date.UTC(2026, 2, 2)) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  elapsed(): number {
    return this.#elapsedMs;
  }

  after(ms: number, call: () => void): () => void {
    const timer = { atMs: this.#elapsedMs + ms, call };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Awaited calls. */
  get timers(): number {
    return this.#timers.size;
  }

  /** The clock is set. */
  setClock(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  /** Lets time pass: what comes due is called in its order, each in a turn of its own. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#elapsedMs + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= untilMs);
      const [next] = due.sort((a, b) => a.atMs - b.atMs);
      this.#moveTo(next?.atMs ?? untilMs);
      if (next) this.#timers.delete(next);
      next?.call();
      await nextTurn();
      if (!next) return;
    }
  }

  #moveTo(elapsedMs: number): void {
    const ms = Math.max(0, elapsedMs - this.#elapsedMs);
    this.#elapsedMs += ms;
    this.#nowMs += ms;
  }
}
