import type { Principal } from './context.ts';
import { tooMany, unavailable } from './errors.ts';

/** How many places the process has, and how many of them one user, and one token, may hold. */
export type Shares = { process: number; user: number; token: number };

/**
 * Places for work that takes memory or time while it lasts: bytes of bodies, streams, imports. A
 * user or token that holds its share must wait (429), so that the others' shares stay free; if all
 * are taken, all must wait (503).
 */
export class Places {
  readonly #what: string;
  readonly #shares: Shares;
  readonly #retryAfterSeconds: number;
  readonly #taken = new Map<string, number>();

  /** `what` is plural, as in "The limit of 100 event streams for one token is reached". */
  constructor(what: string, shares: Shares, retryAfterSeconds: number) {
    this.#what = what;
    this.#shares = shares;
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  /** The places taken in the process. */
  get taken(): number {
    return this.#taken.get(PROCESS) ?? 0;
  }

  /** Returns a function that gives the places back. Throws `tooManyRequests` or `unavailable`. */
  take({ userId = 'operator', tokenId }: Principal, size = 1): () => void {
    const { process, user, token } = this.#shares;
    const owners = [PROCESS, `user:${userId}`, `token:${tokenId}`];
    const [all, ofUser, ofToken] = owners.map((owner) => (this.#taken.get(owner) ?? 0) + size);
    if ((ofToken ?? 0) > token) throw this.#shareIsTaken(token, 'token');
    if ((ofUser ?? 0) > user) throw this.#shareIsTaken(user, 'user');
    if ((all ?? 0) > process) {
      const message = `All places for ${this.#what} are taken; try again later`;
      throw unavailable(message, this.#retryAfterSeconds);
    }
    for (const owner of owners) this.#add(owner, size);
    let isHeld = true;
    return () => {
      if (isHeld) for (const owner of owners) this.#add(owner, -size);
      isHeld = false;
    };
  }

  #shareIsTaken(share: number, whose: 'user' | 'token'): Error {
    const message = `The limit of ${share} ${this.#what} for one ${whose} is reached`;
    return tooMany(message, this.#retryAfterSeconds);
  }

  #add(owner: string, size: number): void {
    const taken = (this.#taken.get(owner) ?? 0) + size;
    if (taken > 0) this.#taken.set(owner, taken);
    else this.#taken.delete(owner);
  }
}

const PROCESS = 'process';
