import { HOUR_MS } from '../../domain/broker-time.ts';
import type { Member } from './member.ts';
import type { Roster } from './roster.ts';

/** Every account's deals are compared with the platform's this often. */
const PROVE_EVERY_MS = 6 * HOUR_MS;
/** An account in doubt is not checked again for this long. */
const DOUBT_AGAIN_MS = HOUR_MS;
/** How long an account waits after a proof began, so that a failing one is not the next again. */
const REST_MS = 600_000;
/** Proofs per check of the roster. */
const AT_A_TIME = 200;

/** Whose history is proven next: accounts with unexplained money, then those waiting longest. */
export class ProofQueue {
  readonly #roster: Roster;
  readonly #now: () => number;
  readonly #doubted = new Set<Member>();
  readonly #lookedInto = new WeakMap<Member, number>();
  readonly #begun = new WeakMap<Member, number>();

  constructor(roster: Roster, now: () => number) {
    this.#roster = roster;
    this.#now = now;
  }

  prefer(member: Member): void {
    const atMs = this.#lookedInto.get(member);
    if (atMs === undefined || !this.#isWithin(atMs, DOUBT_AGAIN_MS)) this.#doubted.add(member);
  }

  /** Notes that a proof begins: whatever its outcome, the member's next one waits. */
  rest(member: Member): void {
    this.#begun.set(member, this.#now());
  }

  /** Members whose turn it is; those in doubt come before all that wait. */
  *due(): Generator<{ member: Member; isDoubted: boolean }, void, undefined> {
    const waiting = [...this.#roster.members()]
      .filter((each) => !this.#isWithin(each.sync.provenAtMs, PROVE_EVERY_MS))
      .filter((each) => !this.#isWithin(this.#begun.get(each) ?? null, REST_MS))
      .toSorted((a, b) => (a.sync.provenAtMs ?? 0) - (b.sync.provenAtMs ?? 0))
      .slice(0, AT_A_TIME);
    for (;;) {
      const [doubted] = this.#doubted;
      const member = doubted ?? waiting.shift();
      if (!member) return;
      if (doubted) {
        this.#doubted.delete(doubted);
        this.#lookedInto.set(doubted, this.#now());
      }
      yield { member, isDoubted: doubted !== undefined };
    }
  }

  /** A time too far ahead was noted by a clock that was ahead, and is ignored. */
  #isWithin(atMs: number | null, spanMs: number): boolean {
    const nowMs = this.#now();
    return atMs !== null && nowMs - atMs < spanMs && atMs - nowMs < spanMs;
  }
}
