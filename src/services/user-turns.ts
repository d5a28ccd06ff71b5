import { tooMany } from './errors.ts';

/** Work at a time, and the share of one user; how many of a user's calls may wait. */
export type TurnShares = { process: number; user: number; waiting: number };

type User = { running: number; waiting: (() => void)[] };
const RETRY_AFTER_SECONDS = 2;

/**
 * Turns of users at shared work. Within its share a user begins at once, and beyond it waits for
 * its own work to end; if the process is full, users take turns, so that no one waits for more than
 * one of each other user. A user with too many waiting calls is refused.
 */
export class UserTurns {
  readonly #shares: TurnShares;
  /** Users with running or waiting work; the one whose work ended last comes last. */
  readonly #users = new Map<string, User>();
  #running = 0;
  #waiting = 0;

  constructor(shares: TurnShares) {
    this.#shares = shares;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** What the user has who has most: running, and waiting. */
  get most(): { running: number; waiting: number } {
    const most = { running: 0, waiting: 0 };
    for (const { running, waiting } of this.#users.values()) {
      most.running = Math.max(most.running, running);
      most.waiting = Math.max(most.waiting, waiting.length);
    }
    return most;
  }

  /** Calls `begin` with the turn, at once or later. Throws `tooManyRequests`. */
  take(userId: string, begin: (end: () => void) => void): void {
    const user = this.#users.get(userId) ?? { running: 0, waiting: [] };
    if (user.waiting.length >= this.#shares.waiting) {
      const message = `The limit of ${this.#shares.waiting} waiting requests of one user is reached`;
      throw tooMany(message, RETRY_AFTER_SECONDS);
    }
    this.#users.set(userId, user);
    if (this.#running < this.#shares.process && user.running < this.#shares.user) {
      this.#begin(userId, user, begin);
      return;
    }
    user.waiting.push(() => this.#begin(userId, user, begin));
    this.#waiting += 1;
  }

  #begin(userId: string, user: User, begin: (end: () => void) => void): void {
    user.running += 1;
    this.#running += 1;
    let isRunning = true;
    begin(() => {
      if (isRunning) this.#end(userId, user);
      isRunning = false;
    });
  }

  #end(userId: string, user: User): void {
    user.running -= 1;
    this.#running -= 1;
    this.#users.delete(userId);
    if (user.running > 0 || user.waiting.length > 0) this.#users.set(userId, user);
    if (this.#waiting > 0) this.#serveNext();
  }

  #serveNext(): void {
    for (const user of this.#users.values()) {
      if (this.#running >= this.#shares.process) return;
      if (user.waiting.length === 0 || user.running >= this.#shares.user) continue;
      this.#waiting -= 1;
      user.waiting.shift()?.();
    }
  }
}
