import { Rounds } from '../../domain/rounds.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import type { PlatformContext } from '../../services/platform-accounts/use-platform.ts';
import {
  type BreachAction,
  type DueAction,
  listDueActions,
  readSwitch,
} from '../../storage/breach-action-store.ts';
import { type Database, DatabaseUnavailable } from '../../storage/database.ts';
import { ActionClaims } from './action-claims.ts';
import { attemptAction } from './attempt-action.ts';
import { MAX_PAUSE_MS, settleAttempt } from './settle-attempt.ts';

const PATROL_MS = 1000;
const ACTIONS_AT_ONCE = 256;
/** Actions on one platform at a time: a silent platform must leave places to the others. */
const ACTIONS_PER_PLATFORM = 32;

type Turn = { platform: string; done: Promise<void> };

/**
 * Carries out the actions that breaches start: for several accounts at a time, for each account one
 * after another. An event wakes it; actions that could not be done are tried again.
 */
export class BreachWorker {
  readonly #context: PlatformContext;
  readonly #database: Database;
  readonly #time: Timekeeper;
  readonly #measure: (tookMs: number) => void;
  readonly #claims: ActionClaims;
  /** By account. */
  readonly #turns = new Map<number, Turn>();
  readonly #rounds: Rounds;
  #deafen = (): void => {};
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
    const tell = (error: unknown): void => this.#tell(error, {});
    this.#claims = new ActionClaims(context, time, tell);
    this.#rounds = new Rounds(() => this.#startTurns(), tell);
  }

  start(): void {
    this.#deafen = this.#database.listen('plimsoll_events', () => this.#rounds.wake());
    this.#rounds.patrol(this.#time, PATROL_MS);
    this.#claims.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#deafen();
    await this.#rounds.stop();
    await Promise.all(Array.from(this.#turns.values(), ({ done }) => done));
    await this.#claims.stop();
  }

  async #startTurns(): Promise<void> {
    if (!(await readSwitch(this.#database))) return;
    const full = new Set<string>();
    const startAll = async (listed: readonly DueAction[]): Promise<void> => {
      for (const due of listed) {
        if (!this.#hasPlace(due.platform)) full.add(due.platform);
        else if (!this.#isStopped && !this.#turns.has(due.accountNumber)) await this.#start(due);
      }
    };
    await startAll(await this.#claims.abandoned());
    for (const { platform } of this.#turns.values()) {
      if (!this.#hasPlace(platform)) full.add(platform);
    }
    // After the actions on platforms without a free place, there may be others.
    for (let known = -1; known < full.size && !this.#isStopped; ) {
      known = full.size;
      const bounds = { maxPauseMs: MAX_PAUSE_MS, limit: ACTIONS_AT_ONCE };
      await startAll(await listDueActions(this.#database, this.#time.now(), bounds, [...full]));
    }
  }

  /** A platform may hold as many places as it leaves free, so that some are always free. */
  #hasPlace(platform: string): boolean {
    const turns = [...this.#turns.values()];
    const held = turns.filter((turn) => turn.platform === platform).length;
    return held < Math.min(ACTIONS_PER_PLATFORM, ACTIONS_AT_ONCE - turns.length);
  }

  /** Takes the action up before its turn, so that an unavailable database ends this round. */
  async #start(due: DueAction): Promise<void> {
    const action = await this.#claims.take(due);
    if (!action) return;
    const { accountNumber, id } = action;
    const done = this.#takeTurn(action)
      .catch((error: unknown) => this.#tell(error, { breachActionId: id }))
      .finally(() => {
        this.#turns.delete(accountNumber);
        this.#rounds.wake();
      });
    this.#turns.set(accountNumber, { platform: due.platform, done });
  }

  async #takeTurn(action: BreachAction): Promise<void> {
    try {
      const outcome = await attemptAction(this.#context, this.#claims, action).catch(
        (error: unknown) => {
          if (error instanceof DatabaseUnavailable) throw error;
          this.#tell(error, { breachActionId: action.id });
          return { word: 'again', message: 'Internal error; see the server log' } as const;
        },
      );
      const tookMs = await settleAttempt(this.#context, action, outcome);
      if (tookMs !== undefined) this.#measure(tookMs);
    } finally {
      this.#claims.letGo(action);
    }
  }

  #tell(error: unknown, fields: object): void {
    const { logger } = this.#context;
    logger.warn({ ...fields, err: error }, 'an action at a breach cannot be done yet');
  }
}
