import { Rounds } from '../../domain/rounds.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import type { PlatformContext } from '../../services/platform-accounts/use-platform.ts';
import {
  beginAction,
  type DueAction,
  listDueActions,
  readSwitch,
} from '../../storage/breach-action-store.ts';
import { type Database, DatabaseUnavailable } from '../../storage/database.ts';
import type { Worker } from '../worker.ts';
import { attemptAction, type HeldAction } from './attempt-action.ts';
import { settleAttempt } from './settle-attempt.ts';

const PATROL_MS = 1000;
const ACTIONS_AT_ONCE = 256;
/** Actions on one platform at a time: a silent platform must leave places for others. */
const ACTIONS_PER_PLATFORM = 32;
/** The same of a user, who may have many silent ones. */
const ACTIONS_PER_USER = 64;

type Turn = { platform: string; userId: string; done: Promise<void> };

/**
 * Carries out the actions that breaches start: for several accounts at a time, for each account one
 * after another. An event wakes it; failed actions are retried.
 */
export class BreachWorker implements Worker {
  readonly #context: PlatformContext;
  readonly #database: Database;
  readonly #time: Timekeeper;
  readonly #measure: (tookMs: number) => void;
  /** By account. */
  readonly #turns = new Map<number, Turn>();
  readonly #rounds: Rounds;
  #unsubscribe = (): void => {};
  #isStopped = false;

  /** `measure` takes the time from an event to the platform's confirmation. */
  constructor(
    context: PlatformContext,
    database: Database,
    time: Timekeeper,
    measure: (tookMs: number) => void,
  ) {
    this.#context = context;
    this.#database = database;
    this.#time = time;
    this.#measure = measure;
    this.#rounds = new Rounds(
      () => this.#startTurns(),
      (error) => this.#tell(error, {}),
    );
  }

  start(): void {
    this.#unsubscribe = this.#database.listen('plimsoll_events', () => this.#rounds.wake());
    this.#rounds.patrol(this.#time, PATROL_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    await this.#rounds.stop();
    await Promise.all(Array.from(this.#turns.values(), ({ done }) => done));
  }

  async #startTurns(): Promise<void> {
    if (!(await readSwitch(this.#database))) return;
    const full = { platforms: new Set<string>(), users: new Set<string>() };
    /** Whether it has a place; else notes who has none. */
    const hasPlace = ({ platform, userId }: Pick<Turn, 'platform' | 'userId'>): boolean => {
      if (!this.#hasPlace('platform', platform)) full.platforms.add(platform);
      else if (!this.#hasPlace('userId', userId)) full.users.add(userId);
      else return true;
      return false;
    };
    const startAll = async (listed: readonly DueAction[]): Promise<void> => {
      for (const due of listed)
        if (hasPlace(due) && !this.#isStopped && !this.#turns.has(due.accountNumber))
          await this.#start(due);
    };
    for (const turn of this.#turns.values()) hasPlace(turn);
    // After the actions of those without a free place, there may be others.
    const size = (): number => full.platforms.size + full.users.size;
    for (let known = -1; known < size() && !this.#isStopped; ) {
      known = size();
      const except = { platforms: [...full.platforms], users: [...full.users] };
      const nowMs = this.#time.now();
      await startAll(await listDueActions(this.#database, nowMs, ACTIONS_AT_ONCE, except));
    }
  }

  /** Each may hold as many places as it leaves free, so that some are always free. */
  #hasPlace(whose: 'platform' | 'userId', key: string): boolean {
    const turns = [...this.#turns.values()];
    const held = turns.filter((turn) => turn[whose] === key).length;
    const most = whose === 'platform' ? ACTIONS_PER_PLATFORM : ACTIONS_PER_USER;
    return held < Math.min(most, ACTIONS_AT_ONCE - turns.length);
  }

  /** Starts the action before its turn, so that an unavailable database ends this round. */
  async #start(due: DueAction): Promise<void> {
    const held = await this.#take(due);
    if (!held) return;
    const { accountNumber, id } = due;
    const done = this.#takeTurn(held)
      .catch((error: unknown) => this.#tell(error, { breachActionId: id }))
      .finally(() => {
        this.#turns.delete(accountNumber);
        this.#rounds.wake();
      });
    this.#turns.set(accountNumber, { platform: due.platform, userId: due.userId, done });
  }

  /** Claims the account, of which one action is done at a time, and begins an attempt. */
  #take(due: DueAction): Promise<HeldAction | undefined> {
    const { changes, claims } = this.#context;
    const { accountId, login } = due;
    const isAgain = due.state === 'running' || due.message !== null;
    return claims.taking((take, giveUp) =>
      changes.record(async (tx) => {
        const [claim] = await take(tx, 'breach-action', [String(due.accountNumber)]);
        const action = claim && (await beginAction(tx, due));
        if (action) return { action, claim, isAgain, accountId, login };
        if (claim) await giveUp(tx, claim);
        return undefined;
      }),
    );
  }

  async #takeTurn(held: HeldAction): Promise<void> {
    try {
      const outcome = await attemptAction(this.#context, held).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error;
        this.#tell(error, { breachActionId: held.action.id });
        return { word: 'again', message: 'Internal error; see the server log' } as const;
      });
      const tookMs = await settleAttempt(this.#context, held, outcome);
      if (tookMs !== undefined) this.#measure(tookMs);
    } catch (error) {
      await this.#context.claims.release(held.claim).catch(() => {});
      throw error;
    }
  }

  #tell(error: unknown, fields: object): void {
    const { logger } = this.#context;
    logger.warn({ ...fields, err: error }, 'an action at a breach cannot be done yet');
  }
}
