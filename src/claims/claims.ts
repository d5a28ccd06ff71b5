import { Rounds } from '../domain/rounds.ts';
import type { Timekeeper } from '../domain/timekeeper.ts';
import {
  ALONE,
  buryProcess,
  type Claim,
  type ClaimKind,
  deleteClaim,
  deleteUnknownClaims,
  insertClaims,
  joinProcesses,
  listFencesOf,
  listProcesses,
  type ProcessRow,
  removeAlone,
  removeProcess,
  showProcess,
} from '../storage/claim-store.ts';
import { type Database, DatabaseUnavailable, type Transaction } from '../storage/database.ts';
import { ClockWatch } from './clock-watch.ts';
import { type LocalProcesses, NO_LOCAL_PROCESSES } from './local-processes.ts';
import { PATIENCE_MS, type Seeing, Silence } from './silence.ts';

const BEAT_MS = 1000;

export type ClaimsOptions = {
  database: Database;
  time: Timekeeper;
  /** Identifies this process; new at each start. */
  id: string;
  logger: { warn(fields: object, message: string): void };
  /** Names the machine, for operators. */
  host?: string;
  /** What is known of other processes there, so that nobody waits for one that has ended. */
  localProcesses?: LocalProcesses;
  /** No other server uses the database, at most a command: this one need not show that it lives. */
  isAlone?: boolean;
  /** The newest schema, and the keys of its settings, that this process knows. */
  schemaVersion?: number;
  keyIds?: readonly string[];
  /** Called once when the schema has become one that it does not know: it must end. */
  onNewerSchema?: () => void;
  beatMs?: number;
  /** How long a process may be silent before others take its jobs. */
  patienceMs?: number;
};

/** Claims, in a transaction, those of the jobs that nobody does. */
export type Take = (tx: Transaction, kind: ClaimKind, keys: readonly string[]) => Promise<Claim[]>;
/** Ends the claim in a transaction; false if it was lost before: then nothing may be stored. */
export type Release = (tx: Transaction) => Promise<boolean>;

/** Work was begun, and so much time has passed that others may have taken it over by now. */
export class HeldUp extends DatabaseUnavailable {
  override readonly name = 'HeldUp';
  constructor() {
    super('This server or its database was held up');
  }
}

/**
 * Who does a job: folds a partition, acts at a breach of an account, reads a profile, sends a
 * webhook or a mail, stores an import. One protocol for all of them.
 *
 * - Take: insert the job's row into `claim`. A row is there exactly while somebody does the job,
 *   and its key is unique, so one of several takers gets it. The database gives the row a number
 *   that it never gives again, the fence.
 * - Work: whatever follows from the job is stored in a transaction that finds the row with the
 *   fence, and keeps it there to the end (`isClaimed`), or deletes it (`releasing`).
 * - Release: delete the row, in the transaction of the outcome.
 * - Beat: each process moves a number in its own row of `process`. The others look once a second.
 *   If the number stands still for the patience, by the looking process' stopwatch, they delete the
 *   claims of the silent one, in a transaction that keeps the row and finds the same number. So do
 *   those who see that it has ended on their machine, at once. `mail` and `import` wait until it is
 *   gone for good, because it is worse to send a mail twice than to send it a minute later.
 * - Act outside of the database: first beat, then ask whether the claim holds, and act only if both
 *   took so little time that nobody can have deleted it (`fresh`).
 * - An answer that was lost: a process that finds rows of its own that it does not know deletes
 *   them after the patience.
 *
 * Invariants: a job has one claim at most. A fence is one claim of one process for ever. Nothing is
 * stored for a claim that is gone. No wall clock decides anything. A claim of a process that has
 * died ends, seen from any machine; one of a process that lives ends with its work, whose every
 * wait has a bound. Nobody waits for a row but those who want that job or that process: a beat
 * changes no claim, and a claim is locked by its own work alone.
 */
export class Claims {
  readonly id: string;
  readonly #options: ClaimsOptions;
  readonly #beatMs: number;
  readonly #patienceMs: number;
  readonly #silence: Silence;
  readonly #clock: ClockWatch;
  readonly #startedAtMs: number;
  readonly #shares = new Set<ClaimKind>();
  readonly #rounds: Rounds;
  readonly #listeners = new Set<() => void>();
  /** By fence: what to call when the claim turns out to be gone. */
  readonly #held = new Map<number, () => void>();
  /** Rows of its own that it does not know, and since when. */
  #unknown = new Map<number, number>();
  /** Whether there may be such rows. */
  #isDoubtful = false;
  #seeing: Seeing = { living: [], beating: new Set(), silent: [], gone: [] };
  #beat = 0;
  #isOutdated = false;
  #shownMs = Number.NEGATIVE_INFINITY;
  #report: (() => object) | undefined;
  #starting: Promise<void> | undefined;

  constructor(options: ClaimsOptions) {
    const { time, id, localProcesses, logger } = options;
    this.id = id;
    this.#options = options;
    this.#beatMs = options.beatMs ?? BEAT_MS;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#silence = new Silence(time, this.#patienceMs, localProcesses);
    this.#clock = new ClockWatch(logger);
    this.#startedAtMs = time.now();
    this.#rounds = new Rounds(
      () => this.#round(),
      (error) => logger.warn({ err: error }, 'other processes cannot be looked at; trying again'),
    );
  }

  /** Shows that this process lives, frees the jobs of those that do not, and goes on with that. */
  start(): Promise<void> {
    this.#starting ??= this.#begin().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  /** Ends all claims of this process. */
  async stop(): Promise<void> {
    const wasStarted = this.#starting;
    await this.abandon();
    if (!wasStarted) return;
    const { database } = this.#options;
    await database.transaction((tx) => removeProcess(tx, this.id)).catch(() => {});
    this.#tellOthers();
  }

  /** Stops at once, like a process that is killed. */
  abandon(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Takes a share of the jobs of a kind from now on; `report` is for operators. */
  async share(kind: ClaimKind, report = this.#report): Promise<void> {
    await this.start();
    this.#report = report;
    this.#shares.add(kind);
    this.#rounds.wake();
    await this.#rounds.settle();
  }

  /** Takes no share any more, and lets the others know. */
  async unshare(kind: ClaimKind): Promise<void> {
    this.#shares.delete(kind);
    await this.#show();
    this.#tellOthers();
  }

  /** The living processes that share the jobs of a kind, in the order of their starts. */
  sharing(kind: ClaimKind): string[] {
    if (this.#isAlone) return this.#shares.has(kind) ? [this.id] : [];
    const { living } = this.#seeing;
    return living.filter(({ shares }) => shares.includes(kind)).map(({ id }) => id);
  }

  /** By how many milliseconds the clock of this machine is ahead of the database's. */
  get clockOffsetMs(): number {
    return this.#clock.offsetMs;
  }

  /** Whether a process was seen to show that it lives. */
  isBeating(id: string): boolean {
    return this.#seeing.beating.has(id);
  }

  /** Calls `heard` after each look at the other processes. Returns how to stop that. */
  listen(heard: () => void): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  /** Claims a job; undefined if somebody does it. `lost` is called if the claim is lost. */
  async take(kind: ClaimKind, key: string, lost?: () => void): Promise<Claim | undefined> {
    const { database } = this.#options;
    const work = (take: Take) => database.transaction((tx) => take(tx, kind, [key]));
    return (await this.taking(work, lost))[0];
  }

  /** Lets a transaction claim jobs, which are held once it is committed. */
  async taking<T>(work: (take: Take) => Promise<T>, lost = (): void => {}): Promise<T> {
    await this.start();
    const taken: Claim[] = [];
    try {
      const result = await work(async (tx, kind, keys) => {
        const claims = await insertClaims(tx, kind, keys, this.id);
        taken.push(...claims);
        return claims;
      });
      for (const { fence } of taken) this.#held.set(fence, lost);
      return result;
    } catch (error) {
      this.#isDoubtful ||= taken.length > 0;
      throw error;
    }
  }

  /** Gives a job up, so that another process can take it at once. */
  async release({ fence }: Claim): Promise<void> {
    await this.releasing({ fence }, () => deleteClaim(this.#options.database, fence));
  }

  /**
   * Lets a transaction end a claim. Whatever becomes of it, this process no longer does the job.
   */
  async releasing<T>(
    { fence }: Pick<Claim, 'fence'>,
    work: (release: Release) => Promise<T>,
  ): Promise<T> {
    try {
      return await work((tx) => deleteClaim(tx, fence));
    } catch (error) {
      this.#isDoubtful = true;
      throw error;
    } finally {
      this.#held.delete(fence);
    }
  }

  /** Whether all others still take this process for living, so that its claims hold. */
  get isFresh(): boolean {
    return (
      this.#isAlone || this.#options.time.elapsed() - this.#shownMs < (this.#patienceMs * 3) / 4
    );
  }

  /**
   * The answer of `ask`, which asks whether a claim holds: nobody can delete it within the next
   * moment. Throws HeldUp if it took too long, as this process may have been paused.
   */
  async fresh<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#isAlone) return ask();
    const { time } = this.#options;
    if (time.elapsed() - this.#shownMs > this.#patienceMs / 4) await this.#show();
    const answer = await ask();
    if (!this.isFresh) throw new HeldUp();
    return answer;
  }

  get #isAlone(): boolean {
    return this.#options.isAlone ?? !this.#options.database.isShared;
  }

  async #begin(): Promise<void> {
    if (this.#isAlone) await this.#enterAlone();
    await this.#round();
    this.#rounds.patrol(this.#options.time, this.#beatMs);
  }

  /** Shows what it knows, without a beat, and ends the claims of the run before. */
  async #enterAlone(): Promise<void> {
    const { database } = this.#options;
    await database.transaction(async (tx) => {
      await removeAlone(tx);
      await joinProcesses(tx, { ...this.#row(), beat: ALONE });
      await deleteUnknownClaims(tx);
    });
  }

  async #round(): Promise<void> {
    const { database } = this.#options;
    if (!this.#isAlone) await this.#show();
    this.#seeing = this.#silence.look(await listProcesses(database));
    const { silent, gone } = this.#seeing;
    for (const each of silent) await this.#bury(each, false);
    for (const each of gone) await this.#bury(each, true);
    if (!this.#isAlone || this.#isDoubtful) await this.#checkOwn();
    for (const heard of this.#listeners) heard();
  }

  /** A sign of life; its time is that before it, as the others may see it at once. */
  async #show(): Promise<void> {
    if (this.#isAlone) return;
    const { database, time } = this.#options;
    const shownMs = time.elapsed();
    this.#beat += 1;
    const row = this.#row();
    const databaseMs = database.isShared
      ? await showProcess(database, row)
      : await database.transaction((tx) => showProcess(tx, row));
    if (databaseMs === undefined && !(await this.#join(row))) return;
    if (databaseMs !== undefined && database.isShared) {
      this.#clock.compare(databaseMs, row.seenAtMs, time.now());
    }
    this.#shownMs = Math.max(this.#shownMs, shownMs);
  }

  #row(): ProcessRow {
    const { time, host = '', localProcesses = NO_LOCAL_PROCESSES } = this.#options;
    const { schemaVersion = Number.MAX_SAFE_INTEGER, keyIds = [] } = this.#options;
    return {
      ...{ id: this.id, beat: this.#beat, shares: [...this.#shares], host },
      ...{ startedAtMs: this.#startedAtMs, seenAtMs: time.now() },
      report: this.#report ? JSON.stringify(this.#report()) : null,
      mark: localProcesses.own ?? null,
      ...{ schemaVersion, keyIds: [...keyIds] },
    };
  }

  /** False if the schema is a newer one. Nothing counts as shown then, so all work ends. */
  async #join(row: ProcessRow): Promise<boolean> {
    const { database, onNewerSchema } = this.#options;
    if (await database.transaction((tx) => joinProcesses(tx, row))) return true;
    if (!this.#isOutdated) onNewerSchema?.();
    this.#isOutdated = true;
    return false;
  }

  async #bury(row: ProcessRow, isGone: boolean): Promise<void> {
    if (row.id === this.id) return;
    const { database } = this.#options;
    const ended = await database.transaction((tx) => buryProcess(tx, row, isGone));
    if (ended > 0) this.#tellOthers();
  }

  /** Finds claims that were lost, and rows whose answers were. */
  async #checkOwn(): Promise<void> {
    const { database, time } = this.#options;
    const held = [...this.#held];
    const stored = new Set(await listFencesOf(database, this.id));
    for (const [fence, lost] of held) {
      if (!stored.has(fence) && this.#held.delete(fence)) lost();
    }
    const nowMs = time.elapsed();
    const before = this.#unknown;
    this.#unknown = new Map();
    for (const fence of stored) {
      if (this.#held.has(fence)) continue;
      const sinceMs = before.get(fence) ?? nowMs;
      if (nowMs - sinceMs < this.#patienceMs) this.#unknown.set(fence, sinceMs);
      else if (await deleteClaim(database, fence)) this.#tellOthers();
    }
    this.#isDoubtful = this.#unknown.size > 0;
  }

  #tellOthers(): void {
    this.#options.database.announce('plimsoll_engines', this.id);
  }
}
