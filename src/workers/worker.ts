/**
 * Continuous work. `start` returns at once; `stop` begins nothing new and resolves when running
 * work has ended, also if it was never started. A worker yields to requests: small steps with rests
 * (sleep of domain/timekeeper.ts), and few at a time (Rounds, Claims).
 */
export interface Worker {
  start(): void;
  stop(): Promise<void>;
}
