/**
 * Work that goes on by itself. `start` returns at once; `stop` begins nothing new and resolves when
 * what runs has ended, also where it was never started. A worker gives way to requests by itself:
 * small steps with rests (sleep of domain/timekeeper.ts), and few at a time (Rounds, Claims).
 */
export interface Worker {
  start(): void;
  stop(): Promise<void>;
}
