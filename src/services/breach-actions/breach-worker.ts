import { Rounds } from '../../domain/rounds.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import {
  type BreachAction,
  holdAction,
  listDueActions,
  readSwitch,
  takeAction,
} from '../../storage/breach-action-store.ts';
import { type Database, DatabaseUnavailable } from '../../storage/database.ts';
import type { PlatformContext } from '../platform-accounts/use-platform.ts';
import { attemptAction } from './attempt-action.ts';
import { MAX_PAUSE_MS, settleAttempt } from './settle-attempt.ts';

const PATROL_MS = 1000;
const ACTIONS_AT_ONCE = 32;
/** After it another process may go on, as when this one is killed. */
const LEASE_MS = 6_000;
const HOLD_EVERY_MS = 2000;
const HORIZON = { pauseMs: MAX_PAUSE_MS, leaseMs: LEASE_MS };

/**
 * Does what breaches are answered with: actions of several accounts at a time, those of one account
 * one after the other. An event wakes it; what could not be done is tried again.
 */
export class BreachWorker {
  readonly #context: PlatformContext;
  readonly #database: Database;
  readonly #time: Timekeeper;
  readonly #measure: (tookMs: number) => void;
  readonly #turns = new Map<number, Promise<void>>();
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
    this.#rounds = new Rounds(
      () => this.#startTurns(),
      (error) => this.#tell(error, {}),
    );
  }

  start(): void {
    this.#deafen = this.#database.listen('plimsoll_events', () => this.#rounds.wake());
    this.#rounds.patrol(this.#time, PATROL_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#deafen();
    await this.#rounds.stop();
    await Promise.all(this.#turns.values());
  }

  async #startTurns(): Promise<void> {
    if (!(await readSwitch(this.#database))) return;
    const nowMs = this.#time.now();
    const busy = [...this.#turns.keys()];
    const limit = ACTIONS_AT_ONCE;
    for (const due of await listDueActions(this.#database, nowMs, HORIZON, limit, busy)) {
      const { accountNumber, id } = due;
      if (this.#isStopped || this.#turns.size >= ACTIONS_AT_ONCE) return;
      if (this.#turns.has(accountNumber)) continue;
      // Before the turn: a database that refuses ends this round, and the next one comes with the patrol.
      const leasedUntilMs = this.#time.now() + LEASE_MS;
      const { changes } = this.#context;
      const action = await changes.record((tx) => takeAction(tx, due, leasedUntilMs));
      if (!action) continue;
      const turn = this.#takeTurn(action)
        .catch((error: unknown) => this.#tell(error, { breachActionId: id }))
        .finally(() => {
          this.#turns.delete(accountNumber);
          this.#rounds.wake();
        });
      this.#turns.set(accountNumber, turn);
    }
  }

  async #takeTurn(action: BreachAction): Promise<void> {
    const letGo = this.#hold(action);
    try {
      const outcome = await attemptAction(this.#context, action).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error;
        this.#tell(error, { breachActionId: action.id });
        return { word: 'again', message: 'Internal error; see the server log' } as const;
      });
      const tookMs = await settleAttempt(this.#context, action, outcome);
      if (tookMs !== undefined) this.#measure(tookMs);
    } finally {
      letGo();
    }
  }

  /** Holds on to an action until the returned function is called: platforms may take their time. */
  #hold(action: BreachAction): () => void {
    let cancel = (): void => {};
    const again = (): void => {
      cancel = this.#time.after(HOLD_EVERY_MS, () => {
        const untilMs = this.#time.now() + LEASE_MS;
        const { changes } = this.#context;
        changes
          .record((tx) => holdAction(tx, action, untilMs))
          .catch((error: unknown) => this.#tell(error, { breachActionId: action.id }));
        again();
      });
    };
    again();
    return () => cancel();
  }

  #tell(error: unknown, fields: object): void {
    const { logger } = this.#context;
    logger.warn({ ...fields, err: error }, 'an action at a breach cannot be done yet');
  }
}
