import { growingPause } from '../domain/growing-pause.ts';

/** Failures in a row after which calls fail at once. */
const FAILURES_TO_OPEN = 5;
const PAUSE = { firstMs: 1_000, maxMs: 60_000 };

/**
 * Keeps callers from a service that keeps failing. After some failures in a row it lets no caller
 * through for a pause, then one as a trial; the pause doubles while trials fail.
 */
export class CircuitBreaker {
  /** Monotonic milliseconds: setting the clock must not prolong a wait. */
  readonly #elapsed: () => number;
  #failures = 0;
  /** How often it has opened since the last success. */
  #openings = 0;
  #openUntilMs = 0;
  #probing = false;

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Milliseconds until a caller may try; 0: try now, and report the outcome. */
  enter(): number {
    if (this.#openings === 0) return 0;
    const leftMs = this.#openUntilMs - this.#elapsed();
    if (leftMs > 0) return leftMs;
    if (this.#probing) return PAUSE.firstMs;
    this.#probing = true;
    return 0;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#probing = false;
  }

  /** The call ended without a result about the service. */
  ended(): void {
    this.#probing = false;
  }

  /** If a pause is given, it applies at once, without further failures. */
  failed(pauseMs: number = 0): void {
    // Concurrent calls fail together: that is one reason for a pause, not many.
    if (this.#openings > 0 && !this.#probing) return;
    this.#failures += 1;
    this.#probing = false;
    if (this.#failures < FAILURES_TO_OPEN && pauseMs === 0) return;
    this.#openings += 1;
    this.#openUntilMs = this.#elapsed() + Math.max(growingPause(this.#openings, PAUSE), pauseMs);
  }
}
