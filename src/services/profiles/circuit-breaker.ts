/** Failures in a row after which calls fail at once. */
const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/**
 * Keeps callers from a service that keeps failing. After some failures in a row it lets nobody
 * through for a pause, then one caller to try; the pause doubles while that one fails.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #openUntilMs = 0;
  #pauseMs = 0;
  #probing = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until a caller may try; 0: go ahead, and report `succeeded` or `failed`. */
  enter(): number {
    if (this.#failures < FAILURES_TO_OPEN) return 0;
    const leftMs = this.#openUntilMs - this.#now();
    if (leftMs > 0) return leftMs;
    if (this.#probing) return FIRST_PAUSE_MS;
    this.#probing = true;
    return 0;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#pauseMs = 0;
    this.#probing = false;
  }

  failed(): void {
    this.#failures += 1;
    this.#probing = false;
    if (this.#failures < FAILURES_TO_OPEN) return;
    this.#pauseMs = Math.min(
      this.#pauseMs === 0 ? FIRST_PAUSE_MS : this.#pauseMs * 2,
      MAX_PAUSE_MS,
    );
    this.#openUntilMs = this.#now() + this.#pauseMs;
  }
}
