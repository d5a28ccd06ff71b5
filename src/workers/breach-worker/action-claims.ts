import { Rounds } from '../../domain/rounds.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import type { Context } from '../../services/context.ts';
import { unavailable } from '../../services/errors.ts';
import {
  type BreachAction,
  type DueAction,
  holdAction,
  listRunningActions,
  takeAction,
} from '../../storage/breach-action-store.ts';

/** A process that gives no sign of life for this long is dead, paused or cut off: others go on. */
const PATIENCE_MS = 6000;
const HOLD_EVERY_MS = 2000;
/** Together with the time between two signs of life, well below the patience. */
const FRESH_MS = 2000;

type Claim = { id: number; fence: number; heldAtMs: number };
type Seen = { mark: string; sinceMs: number };

/**
 * The actions that this process works on: it shows others that it lives, and sees which of theirs
 * stand still. Each process measures time by itself, so no clock has to agree with another. A
 * process that was itself paused waits anew, because the others may have been too.
 */
export class ActionClaims {
  readonly #context: Pick<Context, 'changes' | 'database'>;
  readonly #time: Timekeeper;
  readonly #held = new Map<number, Claim>();
  readonly #rounds: Rounds;
  /** Actions of other processes, or that this one lost sight of. */
  #seen = new Map<number, Seen>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(
    context: Pick<Context, 'changes' | 'database'>,
    time: Timekeeper,
    tell: (error: unknown) => void,
  ) {
    this.#context = context;
    this.#time = time;
    this.#rounds = new Rounds(() => this.#hold([...this.#held.values()]), tell);
  }

  start(): void {
    this.#rounds.patrol(this.#time, HOLD_EVERY_MS);
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Takes up an action; undefined if somebody else did: see takeAction. */
  async take(due: DueAction): Promise<BreachAction | undefined> {
    const heldAtMs = this.#time.elapsed();
    const action = await this.#context.changes.record((tx) => takeAction(tx, due));
    if (action) this.#held.set(action.id, { id: action.id, fence: action.fence, heldAtMs });
    return action;
  }

  letGo({ id }: BreachAction): void {
    this.#held.delete(id);
  }

  /** Actions that have stood still for so long that this process may take them up. */
  async abandoned(): Promise<DueAction[]> {
    const running = await listRunningActions(this.#context.database);
    const nowMs = this.#time.elapsed();
    const wasAway = nowMs - this.#lookedMs > PATIENCE_MS;
    this.#lookedMs = nowMs;
    const others = running.filter(({ id }) => !this.#held.has(id));
    const seen = others.map(({ id, fence, beat }): [number, Seen] => {
      const known = this.#seen.get(id);
      const mark = `${fence} ${beat}`;
      return [id, known?.mark === mark && !wasAway ? known : { mark, sinceMs: nowMs }];
    });
    this.#seen = new Map(seen);
    return others.filter(({ id }) => nowMs - (this.#seen.get(id)?.sinceMs ?? 0) >= PATIENCE_MS);
  }

  /**
   * The answer of `ask` about an action, valid for the next moment: nobody can take up the action
   * yet. Throws `unavailable` if it took too long, because this process may have been paused.
   */
  async fresh<T>({ id }: BreachAction, ask: () => Promise<T>): Promise<T> {
    const askedMs = this.#time.elapsed();
    const claim = this.#held.get(id);
    if (claim && askedMs - claim.heldAtMs > HOLD_EVERY_MS + FRESH_MS / 2) await this.#hold([claim]);
    const answer = await ask();
    if (this.#time.elapsed() - askedMs > FRESH_MS)
      throw unavailable('This server or its database was held up: it is tried again', 1);
    return answer;
  }

  /** Gives signs of life; for an action that another process has taken up, this does nothing. */
  async #hold(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    const heldAtMs = this.#time.elapsed();
    await this.#context.changes.record(async (tx) => {
      for (const claim of claims) await holdAction(tx, claim);
    });
    for (const claim of claims) claim.heldAtMs = heldAtMs;
  }
}
